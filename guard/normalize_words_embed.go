package guard

import _ "embed"

//go:generate sh -c "python3 normalize_words_gen.py /usr/share/dict/american-english-small > normalize_words.bloom"

// englishBloom is a Bloom filter of English words; see normalize_words_gen.py.
//
//go:embed normalize_words.bloom
var englishBloom string
