package guard

// strictness orders the decisions; what is no decision is stricter than any.
func strictness(d Decision) int {
	switch d {
	case Allow:
		return 0
	case Review:
		return 1
	case Deny:
		return 2
	default:
		return 3
	}
}

// stricter is the one of two rulings that lets less through; the first when
// they are equal.
func stricter(a, b ruling) ruling {
	if strictness(b.decision) > strictness(a.decision) {
		return b
	}
	return a
}
