package model_test

import (
	"context"
	"fmt"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// A catalog opens models by slug; a meter adds up what their calls take.
func ExampleNewCatalog() {
	up, err := modeltest.Start() // stands for a provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer up.Close()
	up.Script("score", modeltest.Score(9).Usage(1200, 80, 0, 0))

	catalog, err := model.NewCatalog(model.CatalogConfig{
		Default: model.Endpoint{BaseURL: up.URL(), Key: "sk-..."},
		Models: []model.ModelConfig{
			{Slug: "gpt-4o-mini"},
			{Slug: "house", Model: "acme/judge-7b", Price: &model.Price{Input: 0.1, Output: 0.2}, Tenants: []string{"acme"}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer catalog.Close()

	m, err := catalog.Open("gpt-4o-mini", "acme")
	if err != nil {
		fmt.Println(err)
		return
	}
	meter := model.NewMeter(m, nil)
	object, err := meter.Ask(context.Background(), "score", "Judge the text. Answer with JSON.", "The text.", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(object[len(object)-11:]))
	fmt.Println(meter.Usage().Calls, "call,", meter.Usage().Cost, "USD")
	_, err = catalog.Open("house", "someone else")
	fmt.Println(err)
	// Output:
	// "score": 9}
	// 1 call, 0.000228 USD
	// the model is not known: house
}

// The one object of an answer is found whatever a model puts around it.
func ExampleUnwrap() {
	object, start, err := model.Unwrap("<think>{\"score\": 2}? No.</think>\nHere it is:\n{\"score\": 8}")
	fmt.Println(string(object), start, err)
	_, _, err = model.Unwrap(`{"score": 8} or {"score": 9}`)
	fmt.Println(err)
	// Output:
	// {"score": 8} 45 <nil>
	// the answer holds more than one JSON object
}
