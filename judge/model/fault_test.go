package model

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for value, want := range map[string][2]time.Duration{
		"":                  {0, 0},
		"0":                 {0, 0},
		"2":                 {2 * time.Second, 2 * time.Second},
		"0.5":               {time.Second / 2, time.Second / 2},
		"-1":                {0, 0},
		"NaN":               {0, 0},
		"soon":              {0, 0},
		"1e300":             {24 * time.Hour, 24 * time.Hour},
		"Inf":               {24 * time.Hour, 24 * time.Hour},
		in(3 * time.Second): {2 * time.Second, 4 * time.Second},
		in(-9 * time.Hour):  {0, time.Second},
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}); got < want[0] || got > want[1] {
			t.Errorf("Retry-After %q is %v, want %v to %v", value, got, want[0], want[1])
		}
	}
	if got := retryAfter(http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"9"}}); got != 250*time.Millisecond {
		t.Errorf("milliseconds are %v", got)
	}
}

func TestPauses(t *testing.T) {
	for n, most := range map[int]time.Duration{1: firstPause, 2: 2 * firstPause, 3: 4 * firstPause, 60: mostPause} {
		for range 100 {
			if d := backoff(n); d < most/2 || d > most {
				t.Fatalf("pause %d is %v, want %v to %v", n, d, most/2, most)
			}
			if d := atLeast(most); d < most || d > most+most/5+50*time.Millisecond {
				t.Fatalf("a pause of %v becomes %v", most, d)
			}
		}
	}
}

func TestOwnNetwork(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "::1": true, "10.1.2.3": true, "192.168.0.9": true, "172.20.0.2": true, "169.254.1.1": true,
		"vllm": true, "vllm.default.svc": true, "box.local": true, "fd00::1": true,
		"api.openai.com": false, "8.8.8.8": false, "172.32.0.1": false, "2001:4860::8888": false, "local.example.org": false,
	} {
		if got := ownNetwork(host); got != want {
			t.Errorf("%s is of the own network: %v", host, got)
		}
	}
}
