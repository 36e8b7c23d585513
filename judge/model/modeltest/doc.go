// Package modeltest is a scripted OpenAI-compatible server on loopback, for
// tests of everything that asks models.
//
// A server without a script answers a whole evaluation: the definition is safe,
// it is a rubric without steps of its own, two steps are written for it, and
// the judge gives 8. A script replaces the answers of a stage; the last one of
// a script stays.
//
//	up := modeltest.New(t)
//	up.Script("score", modeltest.Status(500), modeltest.Score(9).Logprobs(map[string]float64{"9": 0.6, "8": 0.3}))
//	up.Reject(modeltest.Param("temperature"))
//	client, err := model.NewClient(model.ClientConfig{Slug: "any", BaseURL: up.URL()})
//	…
//	if n := up.Count("score"); n != 3 { … }
//
// The stage of a request is its header X-Bailiff-Stage. Requests are recorded
// as they came, those that were refused included.
package modeltest
