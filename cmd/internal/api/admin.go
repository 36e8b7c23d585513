package api

import (
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/tenant"
	"bailiff/judge"
)

// maxPolicyData bounds a tenant's policy data, in bytes.
const maxPolicyData = 64 << 10

type tenantObject struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Model      *string        `json:"model"`
	Models     []string       `json:"models"` // null allows all
	PolicyData map[string]any `json:"policy_data"`
	Disabled   bool           `json:"disabled"`
	CreatedAt  time.Time      `json:"created_at"`
}

func tenantOf(t tenant.Tenant) tenantObject {
	o := tenantObject{ID: t.ID, Name: t.Name, Model: text(t.Settings.Model), PolicyData: t.Settings.PolicyData, Disabled: t.Disabled, CreatedAt: t.CreatedAt}
	if t.Settings.Models != nil {
		o.Models = t.Settings.Models
	}
	return o
}

type keyObject struct {
	ID        string      `json:"id"`
	TenantID  string      `json:"tenant_id"`
	Name      *string     `json:"name"`
	Role      tenant.Role `json:"role"`
	Hint      string      `json:"hint"`         // its last characters
	Key       string      `json:"key,omitzero"` // shown once
	CreatedAt time.Time   `json:"created_at"`
	ExpiresAt *time.Time  `json:"expires_at"`
	RevokedAt *time.Time  `json:"revoked_at"`
	LastUsed  *time.Time  `json:"last_used_at"`
}

func keyOf(k tenant.Key) keyObject {
	return keyObject{
		ID: k.ID, TenantID: k.TenantID, Name: text(k.Name), Role: k.Role, Hint: k.Hint, CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, LastUsed: k.LastUsed,
	}
}

// readTenant reads a tenant's members over what there is.
func (a *API) readTenant(c *call, t tenant.Tenant, isNew bool) (tenant.Tenant, error) {
	n, r, err := c.document()
	if err != nil {
		return t, err
	}
	o := r.object(n, "")
	named := optional
	if isNew {
		named = required
	}
	if name, ok := o.text("name", named, maxName); ok {
		t.Name = name
		if judge.Blank(name) || strings.ContainsFunc(name, unicode.IsControl) {
			r.fault("/name", "out_of_range", "name must be a name without control characters")
		}
	}
	if slug, ok := o.text("model", nullable, maxName); ok || o.has("model") {
		t.Settings.Model = slug
	}
	if slugs, ok := readSlugs(o); ok || o.has("models") {
		t.Settings.Models = slugs
	}
	if data, ok := o.structure("policy_data", nullable, maxPolicyData, "{"); ok || o.has("policy_data") {
		t.Settings.PolicyData = nil
		if ok {
			if err := json.Unmarshal(data, &t.Settings.PolicyData); err != nil {
				r.fault("/policy_data", "wrong_type", "policy_data must be an object")
			}
		}
	}
	if !isNew {
		if disabled, ok := o.flag("disabled", optional); ok {
			t.Disabled = disabled
		}
	}
	o.done()
	if t.Settings.Model != "" && !t.Settings.Allows(t.Settings.Model) {
		r.fault("/model", "out_of_range", "model is not among models")
	}
	return t, r.err()
}

func readSlugs(o *object) ([]string, bool) {
	items, ok := o.list("models", nullable, maxSteps)
	if !ok {
		return nil, false
	}
	return o.r.textItems(items, "/models", maxName)
}

// createTenant makes a tenant.
func (a *API) createTenant(c *call) error {
	t, err := a.readTenant(c, tenant.Tenant{}, true)
	if err != nil {
		return err
	}
	if t, err = a.cfg.Tenants.Create(c.Request.Context(), t.Name, t.Settings); err != nil {
		return err
	}
	if err := a.recordChange(c, audit.TenantChanged, t.ID, nil, tenantOf(t)); err != nil {
		return err
	}
	c.Header("Location", "/v1/admin/tenants/"+t.ID)
	return c.json(http.StatusCreated, tenantOf(t))
}

// recordChange writes what an admin changed.
func (a *API) recordChange(c *call, kind audit.Kind, tenantID string, before, after any) error {
	e := c.event(kind)
	e.TenantID = tenantID
	for _, side := range []struct {
		at *jsontext.Value
		v  any
	}{{&e.Before, before}, {&e.After, after}} {
		if side.v == nil {
			continue
		}
		text, err := json.Marshal(side.v, json.Deterministic(true))
		if err != nil {
			return err
		}
		*side.at = text
	}
	return c.record(e)
}

func (a *API) listTenants(c *call) error {
	q := c.query()
	after, limit := q.idCursor(), q.limit()
	if err := q.done(); err != nil {
		return err
	}
	tenants, err := a.cfg.Store.Tenants(c.Request.Context(), after, limit+1)
	if err != nil {
		return err
	}
	tenants, more := page(tenants, limit)
	list := listObject[tenantObject]{Data: []tenantObject{}, HasMore: more}
	for _, t := range tenants {
		list.Data = append(list.Data, tenantOf(t))
	}
	if more {
		list.NextCursor = cursorOf(tenants[len(tenants)-1].ID)
	}
	return c.json(http.StatusOK, list)
}

func (a *API) tenantAt(c *call) (tenant.Tenant, error) {
	id, err := c.pathID("id")
	if err != nil {
		return tenant.Tenant{}, err
	}
	return a.cfg.Store.Tenant(c.Request.Context(), id)
}

func (a *API) getTenant(c *call) error {
	t, err := a.tenantAt(c)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, tenantOf(t))
}

// changeTenant changes the members that are sent and leaves the others.
func (a *API) changeTenant(c *call) error {
	before, err := a.tenantAt(c)
	if err != nil {
		return err
	}
	after, err := a.readTenant(c, before, false)
	if err != nil {
		return err
	}
	if err := a.cfg.Store.UpdateTenant(c.Request.Context(), after); err != nil {
		return err
	}
	if err := a.recordChange(c, audit.TenantChanged, after.ID, tenantOf(before), tenantOf(after)); err != nil {
		return err
	}
	return c.json(http.StatusOK, tenantOf(after))
}

// createKey makes a key. Its secret is in this answer and nowhere else.
func (a *API) createKey(c *call) error {
	t, err := a.tenantAt(c)
	if err != nil {
		return err
	}
	n, r, err := c.document()
	if err != nil {
		return err
	}
	o := r.object(n, "")
	role, name, expires := a.readKey(r, o)
	o.done()
	if err := r.err(); err != nil {
		return err
	}
	key, secret, err := a.cfg.Tenants.Issue(c.Request.Context(), t.ID, name, role, expires)
	if err != nil {
		return err
	}
	if err := a.recordChange(c, audit.KeyCreated, t.ID, nil, keyOf(key)); err != nil {
		return err
	}
	made := keyOf(key)
	made.Key = secret
	return c.json(http.StatusCreated, made)
}

func (a *API) readKey(r *reader, o *object) (tenant.Role, string, *time.Time) {
	text, ok := o.text("role", required, maxName)
	role := tenant.Role(text)
	if ok && !role.Known() {
		r.fault("/role", "out_of_range", "role must be one of %s", strings.Join(texts(tenant.Roles()), ", "))
	}
	name, _ := o.text("name", nullable, maxName)
	var expires *time.Time
	if text, ok := o.text("expires_at", nullable, maxName); ok {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || !at.After(a.cfg.Now()) {
			r.fault("/expires_at", "out_of_range", "expires_at must be a time to come, such as 2027-03-14T09:26:53Z")
		}
		at = at.UTC()
		expires = &at
	}
	return role, name, expires
}

func (a *API) listKeys(c *call) error {
	t, err := a.tenantAt(c)
	if err != nil {
		return err
	}
	q := c.query()
	after, limit := q.idCursor(), q.limit()
	if err := q.done(); err != nil {
		return err
	}
	keys, err := a.cfg.Store.Keys(c.Request.Context(), t.ID, after, limit+1)
	if err != nil {
		return err
	}
	keys, more := page(keys, limit)
	list := listObject[keyObject]{Data: []keyObject{}, HasMore: more}
	for _, k := range keys {
		list.Data = append(list.Data, keyOf(k))
	}
	if more {
		list.NextCursor = cursorOf(keys[len(keys)-1].ID)
	}
	return c.json(http.StatusOK, list)
}

// revokeKey ends a key at once.
func (a *API) revokeKey(c *call) error {
	t, err := a.tenantAt(c)
	if err != nil {
		return err
	}
	id, err := c.pathID("key_id")
	if err != nil {
		return err
	}
	key, err := a.cfg.Tenants.Revoke(c.Request.Context(), t.ID, id)
	if err != nil {
		return err
	}
	if err := a.recordChange(c, audit.KeyRevoked, t.ID, nil, keyOf(key)); err != nil {
		return err
	}
	return c.json(http.StatusOK, keyOf(key))
}
