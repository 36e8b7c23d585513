package model

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// checkBaseURL says what is wrong with a base URL. A key goes over plain HTTP
// to hosts of the own network only.
func checkBaseURL(base string, keyed bool) error {
	u, err := url.Parse(base)
	switch {
	case base == "":
		return errors.New("base_url is missing")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("base_url has to be an http or https URL")
	case u.User != nil:
		return errors.New("base_url holds credentials; give the key by key_env or key_file")
	case u.Fragment != "":
		return errors.New("base_url has a fragment")
	case keyed && u.Scheme == "http" && !ownNetwork(u.Hostname()):
		return errors.New("base_url has to be https: the key would be sent in the clear")
	}
	return nil
}

// ownNetwork reports whether a host is this machine or of a private network, as
// far as its name or address tells.
func ownNetwork(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !strings.Contains(host, ".") {
		return true
	}
	for _, suffix := range []string{".localhost", ".local", ".internal", ".lan", ".svc", ".home.arpa"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}

// originOf is scheme and host of a URL that was checked.
func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// validSlug reports whether a text may name a model.
func validSlug(s string) bool {
	return s != "" && len(s) <= 128 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._:/@+-", r)
	})
}

// printable reports whether a text is of printable ASCII without white space.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
