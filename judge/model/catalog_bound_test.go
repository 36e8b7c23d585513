package model

import (
	"fmt"
	"testing"
)

// TestOpenSlugsAreBounded opens more slugs than are kept: those that were not
// used for longest are given up, with what was learned of them.
func TestOpenSlugsAreBounded(t *testing.T) {
	c, err := NewCatalog(CatalogConfig{Default: Endpoint{BaseURL: "http://127.0.0.1:9/v1", Key: "k"}, Open: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	first, err := c.Open("kept", "t")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxOpened {
		if _, err := c.Open(fmt.Sprintf("made-up-%d", i), "t"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Open("kept", "t"); err != nil {
			t.Fatal(err)
		}
	}
	if again, _ := c.Open("kept", "t"); again != first {
		t.Error("a slug in use was given up")
	}
	if len(c.opened) != maxOpened || c.recent.Len() != maxOpened || len(c.lanes) > maxOpened+1 {
		t.Errorf("%d slugs, %d clients and %d lanes are kept, want at most %d", len(c.opened), c.recent.Len(), len(c.lanes), maxOpened)
	}
}
