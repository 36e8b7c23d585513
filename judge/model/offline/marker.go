package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markKind tells list marks apart: a list is a run of marks of one kind.
type markKind string

const (
	markNone    markKind = ""
	markDecimal markKind = "1."   // 1. 1) (1) 1、 and the same in other digits
	markColon   markKind = "1:"   // 1: , which may be a score
	markLetter  markKind = "a)"   // a) A. (a) and alphabets of other scripts
	markRoman   markKind = "i."   // i. ii) (iv)
	markSign    markKind = "①"    // circled and parenthesised numbers in one sign
	markHan     markKind = "一、"   // 一、 （二） 第三
	markWord    markKind = "Step" // Step 1: and the same in other languages
	markBullet  markKind = "-"    // with the sign appended: "-•"
)

// mark is a list mark at the start of a text.
type mark struct {
	kind  markKind
	value int // its number in the list, 0 when it has none
	size  int // bytes, white space behind it included
}

const bulletSigns = "-*+•◦▪▫‣⁃∙·●○■□◆◇➤►▶➢❖✓✔☐☑☒✅–—→»"

// markAt reads the list mark with which a text starts.
func markAt(s string) mark {
	if m := bulletAt(s); m.kind != markNone {
		return m
	}
	if m := wordMarkAt(s); m.kind != markNone {
		return m
	}
	if m := signAt(s); m.kind != markNone {
		return m
	}
	return enumeratorAt(s)
}

// bulletAt reads a bullet and the check box behind it.
func bulletAt(s string) mark {
	r, n := utf8.DecodeRuneInString(s)
	if !strings.ContainsRune(bulletSigns, r) || r == utf8.RuneError {
		return mark{}
	}
	rest := s[n:]
	gap := spaceLen(rest)
	// Signs that also stand in prose need a space behind them.
	if gap == 0 && strings.ContainsRune("-*+–—→»·", r) {
		return mark{}
	}
	size := n + gap
	for _, box := range []string{"[ ]", "[x]", "[X]", "[]", "☐", "☑"} {
		if after, ok := strings.CutPrefix(s[size:], box); ok {
			size += len(box) + spaceLen(after)
			break
		}
	}
	if size >= len(s) {
		return mark{}
	}
	return mark{kind: markBullet + markKind(r), size: size}
}

// signAt reads numbers that are one sign: ① ⑴ ⒈ ❶ 🄰.
func signAt(s string) mark {
	r, n := utf8.DecodeRuneInString(s)
	value := 0
	for _, base := range []rune{'①', '⑴', '⒈', '❶', '➀', '➊'} {
		last := base + 19
		if base == '❶' || base == '➀' || base == '➊' {
			last = base + 9
		}
		if r >= base && r <= last {
			value = int(r-base) + 1
		}
	}
	for _, base := range []rune{'⒜', 'ⓐ', 'Ⓐ'} {
		if r >= base && r < base+26 {
			value = int(r-base) + 1
		}
	}
	if value == 0 {
		return mark{}
	}
	size := n
	if after, ok := cutAny(s[size:], ".", ")", "、", "：", ":"); ok {
		size = len(s) - len(after)
	}
	return mark{kind: markSign, value: value, size: size + spaceLen(s[size:])}
}

// enumeratorAt reads a number, letter, Roman or Chinese numeral with its
// delimiter: 1. 1) (1) 1、 a) (b) iv. 一、 （二）.
func enumeratorAt(s string) mark {
	rest, wrapped := cutAny(s, "(", "（", "[")
	token, kind, value := enumeratorToken(rest)
	if kind == markNone {
		return mark{}
	}
	after := rest[len(token):]
	if wrapped {
		tail, ok := cutAny(after, ")", "）", "]")
		if !ok || value > maxListNumber {
			return mark{}
		}
		after, _ = cutAny(tail, ".", ":", "：", "、")
	} else {
		var tail string
		var ok bool
		switch kind {
		case markHan:
			tail, ok = cutAny(after, "、", "．", ".", "：", ":", "，", ",")
		case markDecimal:
			if tail, ok = cutAny(after, ":", "："); ok {
				kind = markColon
			} else {
				tail, ok = cutAny(after, ".)", ".", ")", "．", "）", "、", "۔", "।", "-)", "º)", "º")
			}
		default:
			tail, ok = cutAny(after, ".)", ".", ")", "．", "）", "、")
		}
		if !ok || value > maxListNumber {
			return mark{}
		}
		after = tail
		if first, _ := utf8.DecodeRuneInString(after); spaceLen(after) == 0 && !wideStart(first) && !wideDelimiter(s[:len(s)-len(after)]) && !strings.HasPrefix(after, "**") {
			return mark{} // 3.5, 12:30, e.g., file.go
		}
	}
	size := len(s) - len(after)
	size += spaceLen(s[size:])
	if size >= len(s) {
		return mark{}
	}
	return mark{kind: kind, value: value, size: size}
}

const maxListNumber = 199

// wideDelimiter reports a mark that ends in a full-width sign, which needs no
// space behind it.
func wideDelimiter(mark string) bool {
	r, _ := utf8.DecodeLastRuneInString(mark)
	return strings.ContainsRune("、．：），", r)
}

// wideStart reports whether text in a script without spaces may follow a mark
// at once: 1、检查, 1.확인.
func wideStart(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || strings.ContainsRune("“”「『《【（", r)
}

// enumeratorToken reads the number or letter of an enumerator.
func enumeratorToken(s string) (token string, kind markKind, value int) {
	if t, v := decimalToken(s); t != "" {
		return t, markDecimal, v
	}
	if t, v := hanToken(s); t != "" {
		return t, markHan, v
	}
	if t, v := romanToken(s); t != "" {
		return t, markRoman, v
	}
	if t, v := letterToken(s); t != "" {
		return t, markLetter, v
	}
	return "", markNone, 0
}

// decimalToken reads 1, 12, ٣, ১, and the nested 1.2 whose value is its last part.
func decimalToken(s string) (string, int) {
	value, size, digits := 0, 0, 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if d, ok := digitOf(r); ok && digits < 4 {
			value = value*10 + d
			digits++
			i += n
			size = i
			continue
		}
		if r == '.' && digits > 0 && i+1 < len(s) {
			next, _ := utf8.DecodeRuneInString(s[i+1:])
			if _, ok := digitOf(next); ok && nested(s[i+1:]) {
				value, digits = 0, 0
				i++
				continue
			}
		}
		break
	}
	if digits == 0 {
		return "", 0
	}
	return s[:size], value
}

// nested reports whether what follows a dot is a further part of a nested
// number: digits, then a space or a delimiter and a space.
func nested(s string) bool {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i > 2 || i >= len(s) {
		return false
	}
	return (s[i] == '.' || s[i] == ')') && i+1 < len(s) && (s[i+1] == ' ' || s[i+1] >= '0' && s[i+1] <= '9')
}

// digitOf is the value of a decimal digit of any script.
func digitOf(r rune) (int, bool) {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0'), true
	case r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r):
		return 0, false
	}
	// Nd digits stand in runs of ten that start at a digit zero.
	for d := range rune(10) {
		if !unicode.Is(unicode.Nd, r-d-1) {
			return int(d), true
		}
	}
	return int(r-'0') % 10, true
}

func hanToken(s string) (string, int) {
	rest, value, size := strings.TrimPrefix(s, "第"), 0, 0
	lead := len(s) - len(rest)
	for i, r := range rest {
		v := strings.IndexRune("一二三四五六七八九十", r)
		if v < 0 || i > 6 {
			break
		}
		v = v/len("一") + 1
		if v == 10 && value > 0 {
			value *= 10
		} else {
			value += v
		}
		size = i + utf8.RuneLen(r)
	}
	if size == 0 {
		return "", 0
	}
	if lead > 0 {
		for _, unit := range []string{"步", "点", "點", "条", "條", "项", "項", "个", "個"} {
			if strings.HasPrefix(rest[size:], unit) {
				size += len(unit)
				break
			}
		}
	}
	return s[:lead+size], value
}

func romanToken(s string) (string, int) {
	i := 0
	for i < len(s) && i < 6 && strings.IndexByte("ivxIVX", s[i]) >= 0 {
		i++
	}
	if i == 0 || i < len(s) && isASCIILetter(s[i]) {
		return "", 0
	}
	value := romanValue(strings.ToLower(s[:i]))
	if value == 0 {
		return "", 0
	}
	return s[:i], value
}

func romanValue(s string) int {
	for v := 1; v <= 39; v++ {
		if romanOf(v) == s {
			return v
		}
	}
	return 0
}

func romanOf(v int) string {
	tens := []string{"", "x", "xx", "xxx"}
	ones := []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"}
	return tens[v/10] + ones[v%10]
}

func isASCIILetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// alphabets are letters in the order in which lists use them.
var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрст", "αβγδεζηθικλμ", "أبجدهوزحطي", "ابتثجحخدذرز",
	"가나다라마바사아자차", "กขคงจฉชซ", "アイウエオカキクケコ", "イロハニホヘト", "कखगघङचछज", "কখগঘঙচছজ", "甲乙丙丁戊己庚辛", "אבגדהוזחטי",
}

func letterToken(s string) (string, int) {
	r, n := utf8.DecodeRuneInString(s)
	lower := unicode.ToLower(r)
	for _, letters := range alphabets {
		at := 0
		for _, l := range letters {
			at++
			if l == lower {
				return s[:n], at
			}
		}
	}
	return "", 0
}

func spaceLen(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return r != '\n' && unicode.IsSpace(r) }))
}

func cutAny(s string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if after, ok := strings.CutPrefix(s, p); ok {
			return after, true
		}
	}
	return s, false
}
