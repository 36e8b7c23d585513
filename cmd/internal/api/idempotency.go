package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"bailiff/cmd/internal/run"
)

// How long replies are kept to be given again, and how much longer than a
// blocking call a claim may stay unsettled.
const (
	keepReplies    = 24 * time.Hour
	claimAllowance = time.Minute
	maxIdempotency = 255
)

// once works a request. With a header Idempotency-Key, the same request is
// worked once and its reply given again; another request with that key is
// refused.
func (a *API) once(c *call, route string, work func() (run.Reply, error)) error {
	key, err := idempotencyKey(c.Request.Header)
	if err != nil {
		return err
	}
	if key == "" {
		reply, err := work()
		if err != nil {
			return err
		}
		c.reply(reply)
		return nil
	}
	return a.claim(c, route, key, work)
}

func (a *API) claim(c *call, route, key string, work func() (run.Reply, error)) error {
	// What was begun is settled even if the caller has gone.
	ctx := context.WithoutCancel(c.Request.Context())
	sum := sha256.Sum256(append([]byte(route+"\n"), c.body...))
	claim := run.Claim{TenantID: c.tenantID(), Key: key, Sum: hex.EncodeToString(sum[:]), Now: a.cfg.Now(), Lease: a.cfg.BlockingTimeout + claimAllowance}
	state, reply, err := a.cfg.Claims.Claim(ctx, claim)
	if err != nil {
		return err
	}
	switch state {
	case run.Settled:
		c.Header("Idempotent-Replayed", "true")
		c.reply(reply)
		return nil
	case run.InProgress:
		return &refusal{status: http.StatusConflict, code: "idempotency_in_progress", title: "The request is being worked", detail: "A request with this Idempotency-Key is being worked; ask again for its reply.", retryAfter: 1}
	case run.Mismatch:
		return &refusal{status: http.StatusUnprocessableEntity, code: "idempotency_key_reused", title: "The Idempotency-Key belongs to another request", detail: "This Idempotency-Key was used with another body or address; use a new one."}
	case run.Claimed:
	}
	settled := false
	defer func() {
		if !settled {
			if err := a.cfg.Claims.Release(ctx, claim); err != nil {
				c.log().Error().Err(err).Str("component", "api").Msg("a claim could not be released")
			}
		}
	}()
	if reply, err = work(); err != nil {
		return err
	}
	if err := a.cfg.Claims.Settle(ctx, claim, reply, keepReplies); err != nil {
		return err
	}
	settled = true
	c.reply(reply)
	return nil
}

func idempotencyKey(h http.Header) (string, error) {
	given := h.Values("Idempotency-Key")
	if len(given) == 0 {
		return "", nil
	}
	if len(given) > 1 || given[0] == "" || len(given[0]) > maxIdempotency || strings.ContainsFunc(given[0], func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", &refusal{status: http.StatusBadRequest, code: "idempotency_key_invalid", title: "The Idempotency-Key is not acceptable", detail: "Send one header Idempotency-Key of 1 to 255 visible ASCII characters."}
	}
	return given[0], nil
}

// reply sends a reply that may be a kept one.
func (c *call) reply(r run.Reply) {
	if r.Location != "" {
		c.Header("Location", r.Location)
	}
	c.send(r.Status, "application/json", r.Body)
}
