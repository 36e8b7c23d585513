package model_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// catalog makes a catalog whose environment is env and whose files are files.
func catalog(tb testing.TB, cfg model.CatalogConfig, env, files map[string]string) (*model.Catalog, error) {
	tb.Helper()
	cfg.LookupEnv = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	cfg.ReadFile = func(path string) ([]byte, error) {
		text, ok := files[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}
	c, err := model.NewCatalog(cfg)
	if err == nil {
		tb.Cleanup(c.Close)
	}
	return c, err
}

// named is a model that can only say its name.
type named struct {
	model.Model
	name string
}

func (n named) Name() string { return n.name }

func TestCatalogOpens(t *testing.T) {
	up, other := modeltest.New(t), modeltest.New(t)
	c, err := catalog(t, model.CatalogConfig{
		Default: model.Endpoint{BaseURL: up.URL(), Key: "sk-default"},
		Offline: named{name: "offline"},
		Models: []model.ModelConfig{
			{Slug: "ours", Model: "org/ours-7b", BaseURL: other.URL(), KeyEnv: "OURS_KEY", Scale: 100, Price: &model.Price{Input: 1, Output: 2}},
			{Slug: "secret", Tenants: []string{"acme"}},
			{Slug: "filed", BaseURL: other.URL(), KeyFile: "/run/key"},
			{Slug: "keyless", BaseURL: other.URL()},
			{Slug: "gpt-4o-mini"},
		},
	}, map[string]string{"OURS_KEY": "sk-ours"}, map[string]string{"/run/key": "sk-filed\n"})
	if err != nil {
		t.Fatal(err)
	}
	sentKey := func(slug, tenant string, server *modeltest.Server) string {
		t.Helper()
		m, err := c.Open(slug, tenant)
		if err != nil {
			t.Fatalf("%s: %v", slug, err)
		}
		server.Reset()
		ask(t, m)
		r := server.Requests("")[0]
		return fmt.Sprint(r.Header.Get("Authorization"), " ", r.Body["model"])
	}
	for _, tt := range []struct {
		slug, want string
		server     *modeltest.Server
	}{
		{"ours", "Bearer sk-ours org/ours-7b", other},
		{"secret", "Bearer sk-default secret", up},
		{"filed", "Bearer sk-filed filed", other},
		{"keyless", " keyless", other},
		{"gpt-4o-mini", "Bearer sk-default gpt-4o-mini", up},
	} {
		if got := sentKey(tt.slug, "acme", tt.server); got != tt.want {
			t.Errorf("%s sent %q, want %q", tt.slug, got, tt.want)
		}
	}

	ours, _ := c.Open("ours", "any")
	if info := ours.Info(); info.Scale != 100 || info.Price.Output != 2 || info.Endpoint != strings.TrimSuffix(other.URL(), "/v1") || info.Offline {
		t.Errorf("info is %+v", info)
	}
	mini, _ := c.Open("gpt-4o-mini", "any")
	if info := mini.Info(); info.Price == nil || info.Scale != 10 {
		t.Errorf("a known slug at another endpoint has info %+v", info)
	}
	if m, err := c.Open("offline", "any"); err != nil || m.Name() != "offline" {
		t.Errorf("offline opens to %v, %v", m, err)
	}
	for _, slug := range []string{"", "secret", "other", "../x", "a b", strings.Repeat("x", 200), "sk-\n"} {
		if m, err := c.Open(slug, "intruder"); !errors.Is(err, model.ErrUnknownModel) || m != nil {
			t.Errorf("%q opens to %v, %v", slug, m, err)
		}
	}
	if diff := cmp.Diff([]string{"filed", "gpt-4o-mini", "keyless", "offline", "ours"}, c.Slugs("intruder")); diff != "" {
		t.Errorf("slugs (-want +got):\n%s", diff)
	}
}

func TestCatalogLetsOpenSlugsThrough(t *testing.T) {
	up := modeltest.New(t)
	up.Reject(modeltest.Param("temperature").For("acme-1"))
	c, err := catalog(t, model.CatalogConfig{Default: model.Endpoint{BaseURL: up.URL(), Key: "k"}, Open: true}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.Open("acme-1", "t")
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(t, first); r.Attempts != 2 {
		t.Errorf("%d attempts, want 2", r.Attempts)
	}
	again, _ := c.Open("acme-1", "u")
	if r := ask(t, again); r.Attempts != 1 {
		t.Error("what was learned for a slug is not kept")
	}
	other, _ := c.Open("acme-2", "t")
	ask(t, other)
	if requests := up.Requests(""); requests[len(requests)-1].Body["temperature"] != 0.0 {
		t.Error("what one model refused was not tried on another")
	}
	if _, err := c.Open("no such\nslug", "t"); !errors.Is(err, model.ErrUnknownModel) {
		t.Errorf("a slug that is none opens: %v", err)
	}
	for i := range 1000 {
		if _, err := c.Open(fmt.Sprintf("made-up-%d", i), "t"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOneModelOneLane lets slugs of one model share what is learned.
func TestOneModelOneLane(t *testing.T) {
	up := modeltest.New(t)
	up.Reject(modeltest.Param("seed"))
	c, err := catalog(t, model.CatalogConfig{Models: []model.ModelConfig{
		{Slug: "fast", Model: "m", BaseURL: up.URL(), Scale: 10},
		{Slug: "fine", Model: "m", BaseURL: up.URL(), Scale: 100},
	}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	fast, _ := c.Open("fast", "t")
	fine, _ := c.Open("fine", "t")
	ask(t, fast)
	if r := ask(t, fine); r.Attempts != 1 || fine.Info().Scale != 100 {
		t.Errorf("the second slug took %d attempts", r.Attempts)
	}
}

// TestCatalogSaysAllThatIsWrong collects problems of a configuration.
func TestCatalogSaysAllThatIsWrong(t *testing.T) {
	_, err := catalog(t, model.CatalogConfig{
		Default: model.Endpoint{BaseURL: "ftp://example.org"},
		Models: []model.ModelConfig{
			{Slug: "a", Provider: "openia"},
			{Slug: "b", BaseURL: "http://user:pass@127.0.0.1/v1"},
			{Slug: "c", BaseURL: "http://api.example.org/v1", KeyEnv: "SET"},
			{Slug: "d", KeyEnv: "NOT_SET"},
			{Slug: "e", BaseURL: "https://api.example.org/v1", KeyFile: "/none"},
			{Slug: "f", BaseURL: "https://api.example.org/v1", Scale: 50},
			{Slug: "g", BaseURL: "https://api.example.org/v1", Price: &model.Price{Input: -1}},
			{Slug: "h i", BaseURL: "https://api.example.org/v1"},
			{Slug: "j", BaseURL: "https://api.example.org/v1", KeyEnv: "BROKEN"},
			{Slug: "k", Provider: "mistral"},
			{Slug: "l", Provider: "azure", KeyEnv: "SET"},
			{Slug: "m", BaseURL: "https://api.example.org/v1"},
			{Slug: "m", BaseURL: "https://api.example.org/v1"},
			{Slug: "n", BaseURL: "https://api.example.org/v1", KeyEnv: "SET", KeyFile: "/none"},
			{Slug: "o", BaseURL: "https://api.example.org/v1", Concurrency: -1},
		},
	}, map[string]string{"SET": "sk-secret-value", "BROKEN": "sk secret\nvalue"}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"default provider: base_url", `"a": provider "openia"`, `"b": base_url holds credentials`, `"c": base_url has to be https`,
		`"d": key_env: the variable NOT_SET`, `"e": key_file`, `"f": scale is 50`, `"g": a price`, `"h i": slug`, `"j": the key holds`,
		`"k": provider mistral needs a key`, `"l": base_url is missing`, `"m": is configured twice`, `"n": key_env and key_file`, `"o": a limit`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	for _, secret := range []string{"secret", "pass@"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error holds %q:\n%v", secret, err)
		}
	}
}

// TestProviderKeys finds a provider's key where its own tools look, but sends
// it to its own URL alone.
func TestProviderKeys(t *testing.T) {
	up := modeltest.New(t)
	env := map[string]string{"OPENAI_API_KEY": "sk-openai", "AZURE_OPENAI_API_KEY": "az-key"}
	c, err := catalog(t, model.CatalogConfig{Models: []model.ModelConfig{
		{Slug: "elsewhere", Provider: "litellm", BaseURL: up.URL()},
		{Slug: "deployment", Provider: "azure", BaseURL: up.URL() + "/openai/deployments/d?api-version=2024-10-21"},
	}}, env, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := c.Open("elsewhere", "t")
	ask(t, m)
	m, _ = c.Open("deployment", "t")
	ask(t, m)
	requests := up.Requests("")
	if got := requests[0].Header.Get("Authorization"); got != "" {
		t.Errorf("a key was sent to another URL: %q", got)
	}
	azure := requests[1]
	if azure.Header.Get("Api-Key") != "az-key" || azure.Header.Get("Authorization") != "" || azure.Path != "/v1/openai/deployments/d/chat/completions" || azure.Query != "api-version=2024-10-21" {
		t.Errorf("azure was asked at %s?%s with headers %v", azure.Path, azure.Query, azure.Header)
	}
	if azure.Body["top_logprobs"] != 5.0 {
		t.Errorf("azure was asked for %v alternatives", azure.Body["top_logprobs"])
	}
	if _, err := catalog(t, model.CatalogConfig{Models: []model.ModelConfig{{Slug: "x", Provider: "openai", BaseURL: up.URL()}}}, env, nil); err == nil {
		t.Error("the vendor's key is taken for another URL")
	}
}

// TestEmptyCatalog knows no model.
func TestEmptyCatalog(t *testing.T) {
	c, err := catalog(t, model.CatalogConfig{Open: true}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Open("gpt-4o-mini", "t"); !errors.Is(err, model.ErrUnknownModel) {
		t.Errorf("error is %v", err)
	}
}
