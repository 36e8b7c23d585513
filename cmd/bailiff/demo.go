package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/api"
)

type demoCmd struct {
	Once bool `help:"End after the tour instead of leaving the gateway up."`
}

// Help is the longer text of bailiff demo --help.
func (*demoCmd) Help() string {
	return "Starts a gateway on loopback with everything in a temporary folder, sends four definitions through it and shows what each stage decided."
}

// demoTour is what is sent, in order.
//
//go:embed demo.json
var demoTour []byte

// demoStop is one stop of the tour.
type demoStop struct {
	Title string         `json:"title"`
	Watch string         `json:"watch"`
	Body  jsontext.Value `json:"body"`
}

func (c *demoCmd) Run(ctx context.Context, std *stdio) error {
	var tour []demoStop
	if err := json.Unmarshal(demoTour, &tour); err != nil {
		return fmt.Errorf("read the tour: %w", err)
	}
	gw, clean, err := startDemo(ctx, std)
	if err != nil {
		return err
	}
	defer clean()
	fmt.Fprintf(std.out, "A gateway is up on %s. It keeps everything in a temporary folder and judges with the built-in\nbaseline, which compares text and is not a language model.\n", gw.url)
	for i, stop := range tour {
		if err := gw.visit(ctx, std.out, i+1, stop); err != nil {
			return err
		}
	}
	gw.printCurl(std.out, tour[0])
	if c.Once {
		return nil
	}
	fmt.Fprintf(std.out, "The gateway stays up until you press Ctrl-C.\n")
	<-ctx.Done()
	return nil
}

// demoGateway is the gateway as a client sees it.
type demoGateway struct {
	url, key string
}

// evaluate posts one evaluation.
func (g demoGateway) evaluate(ctx context.Context, body []byte) (api.Evaluation, error) {
	var e api.Evaluation
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url+"/v1/evaluate", bytes.NewReader(body))
	if err != nil {
		return e, err
	}
	req.Header.Set("Authorization", "Bearer "+g.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return e, failedError(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return e, failedError(err)
	}
	if resp.StatusCode != http.StatusCreated {
		return e, failedError(fmt.Errorf("the gateway answered %s: %s", resp.Status, answer))
	}
	if err := json.Unmarshal(answer, &e); err != nil {
		return e, failedError(errors.Join(errors.New("the gateway's answer cannot be read"), err))
	}
	return e, nil
}

// visit sends one definition and shows what came of it.
func (g demoGateway) visit(ctx context.Context, out io.Writer, n int, stop demoStop) error {
	e, err := g.evaluate(ctx, stop.Body)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d. %s\n   %s\n", n, stop.Title, stop.Watch)
	for _, s := range e.Stages {
		fmt.Fprintf(out, "   %-9s %-9s %8.2f ms\n", s.Name, s.Outcome, s.TookMS)
	}
	result := "null"
	if e.Result != nil {
		result = fmt.Sprintf("%.2f", *e.Result)
	}
	fmt.Fprintf(out, "   -> %s, result %s\n", e.Status, result)
	if e.Explanation != nil {
		fmt.Fprintf(out, "   %s\n", wrap(*e.Explanation, 108, "   "))
	}
	if m := e.EvalMetadata; m != nil && e.Result != nil {
		for _, f := range m.StepFindings {
			fmt.Fprintf(out, "   step %d %-8s %s\n", f.Step, f.Verdict, shorten(strings.Map(printable, f.Evidence), 80))
		}
		for _, f := range m.Facts {
			fmt.Fprintf(out, "   fact: %s\n", shorten(strings.Map(printable, f.Text), 100))
		}
	}
	return nil
}

// wrap breaks a text into lines.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(strings.Map(printable, text)) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// printCurl shows how to ask for the same from elsewhere.
func (g demoGateway) printCurl(out io.Writer, stop demoStop) {
	quoted := strings.ReplaceAll(string(stop.Body), "'", `'\''`)
	fmt.Fprintf(out, "\nThe first one again, with curl:\n\ncurl -s %s/v1/evaluate -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '%s'\n\n", g.url, g.key, quoted)
}
