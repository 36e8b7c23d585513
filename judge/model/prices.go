package model

import (
	"strings"
	"time"
)

// PricesAsOf is the date of the built-in price list. Prices change; what counts
// for a bill is the price in the configuration.
func PricesAsOf() time.Time { return time.Date(2025, time.December, 1, 0, 0, 0, 0, time.UTC) }

// prices are the vendors' list prices in US dollars per million tokens, by the
// name that the vendor gives the model. A dated name ("gpt-4o-2024-08-06")
// costs what its family costs unless it has a row of its own.
var prices = map[string]Price{
	// OpenAI
	"gpt-5.1":           {Input: 1.25, Output: 10, Cached: 0.125},
	"gpt-5":             {Input: 1.25, Output: 10, Cached: 0.125},
	"gpt-5-chat-latest": {Input: 1.25, Output: 10, Cached: 0.125},
	"gpt-5-mini":        {Input: 0.25, Output: 2, Cached: 0.025},
	"gpt-5-nano":        {Input: 0.05, Output: 0.40, Cached: 0.005},
	"gpt-5-pro":         {Input: 15, Output: 120},
	"gpt-4.1":           {Input: 2, Output: 8, Cached: 0.50},
	"gpt-4.1-mini":      {Input: 0.40, Output: 1.60, Cached: 0.10},
	"gpt-4.1-nano":      {Input: 0.10, Output: 0.40, Cached: 0.025},
	"gpt-4o":            {Input: 2.50, Output: 10, Cached: 1.25},
	"gpt-4o-2024-05-13": {Input: 5, Output: 15},
	"gpt-4o-mini":       {Input: 0.15, Output: 0.60, Cached: 0.075},
	"o1":                {Input: 15, Output: 60, Cached: 7.50},
	"o1-mini":           {Input: 1.10, Output: 4.40, Cached: 0.55},
	"o1-pro":            {Input: 150, Output: 600},
	"o3":                {Input: 2, Output: 8, Cached: 0.50},
	"o3-mini":           {Input: 1.10, Output: 4.40, Cached: 0.55},
	"o3-pro":            {Input: 20, Output: 80},
	"o4-mini":           {Input: 1.10, Output: 4.40, Cached: 0.275},
	"gpt-4-turbo":       {Input: 10, Output: 30},
	"gpt-4":             {Input: 30, Output: 60},
	"gpt-3.5-turbo":     {Input: 0.50, Output: 1.50},
	// Anthropic
	"claude-opus-4-5":   {Input: 5, Output: 25, Cached: 0.50},
	"claude-opus-4-1":   {Input: 15, Output: 75, Cached: 1.50},
	"claude-opus-4":     {Input: 15, Output: 75, Cached: 1.50},
	"claude-opus-4-0":   {Input: 15, Output: 75, Cached: 1.50},
	"claude-sonnet-4-5": {Input: 3, Output: 15, Cached: 0.30},
	"claude-sonnet-4":   {Input: 3, Output: 15, Cached: 0.30},
	"claude-sonnet-4-0": {Input: 3, Output: 15, Cached: 0.30},
	"claude-haiku-4-5":  {Input: 1, Output: 5, Cached: 0.10},
	"claude-3-7-sonnet": {Input: 3, Output: 15, Cached: 0.30},
	"claude-3-5-sonnet": {Input: 3, Output: 15, Cached: 0.30},
	"claude-3-5-haiku":  {Input: 0.80, Output: 4, Cached: 0.08},
	"claude-3-haiku":    {Input: 0.25, Output: 1.25, Cached: 0.03},
	// Google: the price of prompts up to 200,000 tokens
	"gemini-2.5-pro":        {Input: 1.25, Output: 10, Cached: 0.125},
	"gemini-2.5-flash":      {Input: 0.30, Output: 2.50, Cached: 0.03},
	"gemini-2.5-flash-lite": {Input: 0.10, Output: 0.40, Cached: 0.01},
	"gemini-2.0-flash":      {Input: 0.10, Output: 0.40, Cached: 0.025},
	"gemini-2.0-flash-lite": {Input: 0.075, Output: 0.30},
	// Mistral
	"mistral-large-latest":  {Input: 2, Output: 6},
	"mistral-medium-latest": {Input: 0.40, Output: 2},
	"mistral-small-latest":  {Input: 0.10, Output: 0.30},
	// DeepSeek
	"deepseek-chat":     {Input: 0.28, Output: 0.42, Cached: 0.028},
	"deepseek-reasoner": {Input: 0.28, Output: 0.42, Cached: 0.028},
}

// ListPrice is the built-in price of a model by its slug, nil when it is not
// known. A vendor's prefix as routers write it ("openai/gpt-4o") is not part of
// the name.
func ListPrice(slug string) *Price {
	name := baseName(slug)
	if p, ok := prices[name]; ok {
		return &p
	}
	if family := undated(name); family != name {
		if p, ok := prices[family]; ok {
			return &p
		}
	}
	return nil
}

// baseName is a model's name without the path of a router.
func baseName(slug string) string {
	return strings.ToLower(slug[strings.LastIndexByte(slug, '/')+1:])
}

// undated takes a date off the end of a model's name: gpt-4o-2024-08-06,
// claude-sonnet-4-5-20250929, claude-3-5-haiku-latest.
func undated(name string) string {
	name = strings.TrimSuffix(name, "-latest")
	parts := strings.Split(name, "-")
	for n := len(parts) - 1; n > 0; n-- {
		digits := strings.Join(parts[n:], "")
		if strings.Trim(digits, "0123456789") != "" {
			break
		}
		if len(digits) == 8 && (digits[:2] == "20") {
			return strings.Join(parts[:n], "-")
		}
	}
	return name
}
