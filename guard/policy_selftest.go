package guard

import (
	"context"
	"fmt"
)

// selfTest asks the policy about texts whose answer is beyond doubt. A scanner
// that finds nothing looks healthy from outside; a policy that lets these
// attacks through, or refuses these rubrics, is refused when it is loaded.
func (p *Policy) selfTest(ctx context.Context) error {
	var problems []Problem
	for _, c := range selfTestCases() {
		report, fault := p.Scan(ctx, c.subject)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case fault != nil:
			problems = append(problems, Problem{Stage: "selftest", Message: c.name + ": the policy gives no decision"})
		case strictness(report.Decision) < strictness(c.least) || strictness(report.Decision) > strictness(c.most):
			problems = append(problems, Problem{Stage: "selftest", Message: fmt.Sprintf("%s: the policy says %s; it must say %s", c.name, report.Decision, c.wanted())})
		}
	}
	if len(problems) == 0 {
		problems = p.checkFloors(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refuse(problems...)
}

type selfTestCase struct {
	name        string
	subject     Subject
	least, most Decision
}

func (c selfTestCase) wanted() string {
	if c.least == c.most {
		return string(c.least)
	}
	return string(c.least) + " or stricter"
}
