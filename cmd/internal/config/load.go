package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
)

// DefaultFile is read when it is there and no other is named.
const DefaultFile = "bailiff.yaml"

// Source says where to look. The zero value looks at the process.
type Source struct {
	File   string                       // named by a flag; "" asks BAILIFF_CONFIG, then DefaultFile
	Flags  map[string]string            // settings given as flags, by name
	Env    []string                     // NAME=value; nil takes os.Environ
	Read   func(string) ([]byte, error) // nil takes os.ReadFile
	NoFile bool                         // ignore configuration files altogether
}

// Error lists everything that is wrong with a configuration.
type Error struct{ Problems []string }

func (e *Error) Error() string {
	return "the configuration is wrong:\n  " + strings.Join(e.Problems, "\n  ")
}

// Load reads all layers. The error is an *Error with every problem.
func Load(src Source) (Config, error) {
	if src.Env == nil {
		src.Env = os.Environ()
	}
	if src.Read == nil {
		src.Read = os.ReadFile
	}
	l := &loader{src: src, env: variables(src.Env), k: koanf.New("."), where: map[string]string{}}
	l.defaults()
	l.file()
	l.variables()
	l.flags()
	l.apply()
	l.provider()
	l.secrets()
	l.finish()
	if len(l.problems) > 0 {
		return Config{}, &Error{Problems: l.problems}
	}
	return l.cfg, nil
}

type loader struct {
	src      Source
	env      map[string]string
	k        *koanf.Koanf
	where    map[string]string // setting → where its value stands
	cfg      Config
	listed   bool // models: was given
	problems []string
}

func variables(environ []string) map[string]string {
	out := map[string]string{}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			out[name] = value
		}
	}
	return out
}

func (l *loader) fault(format string, args ...any) {
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

// merge lays values over what is there.
func (l *loader) merge(over layer) {
	if err := l.k.Load(confmap.Provider(over.values, "."), nil); err != nil {
		l.fault("merge the configuration: %v", err)
	}
	for name, where := range over.where {
		l.where[name] = where
	}
}

func (l *loader) defaults() {
	base := newLayer()
	for _, s := range settings() {
		if s.fallback != nil {
			base.put(s.name, s.fallback, "default of "+s.name)
		}
	}
	l.merge(base)
}

// file reads the configuration file. One that was asked for must be there.
func (l *loader) file() {
	if l.src.NoFile {
		return
	}
	path, asked := l.src.File, true
	if path == "" {
		path = l.env["BAILIFF_CONFIG"]
	}
	if path == "" {
		path, asked = DefaultFile, false
	}
	data, err := l.src.Read(path)
	if err != nil {
		if asked || !errors.Is(err, fs.ErrNotExist) {
			l.fault("%s cannot be read: %v", path, err)
		}
		return
	}
	r := readFile(path, data)
	l.problems = append(l.problems, r.problems...)
	l.merge(r.out)
	l.cfg.Models, l.listed, l.cfg.File = r.models, r.given, path
}

// variables reads BAILIFF_*. An unknown one is a warning only: schedulers put
// variables of their own beside ours.
func (l *loader) variables() {
	over := newLayer()
	known := append(secretVariables(), "BAILIFF_CONFIG")
	for _, s := range settings() {
		known = append(known, s.env)
		if value, ok := l.env[s.env]; ok && value != "" {
			over.put(s.name, value, s.env)
		}
	}
	l.merge(over)
	for name := range l.env {
		if strings.HasPrefix(name, "BAILIFF_") && !slices.Contains(known, name) {
			l.cfg.Warnings = append(l.cfg.Warnings, "the variable "+name+" is no setting and changes nothing")
		}
	}
	slices.Sort(l.cfg.Warnings)
}

func (l *loader) flags() {
	over := newLayer()
	for name, value := range l.src.Flags {
		if value != "" {
			over.put(name, value, "--"+strings.ReplaceAll(name, "_", "-"))
		}
	}
	l.merge(over)
}

// apply checks every setting and puts it into the Config.
func (l *loader) apply() {
	for _, s := range settings() {
		value := l.k.Get(s.name)
		if value == nil {
			continue
		}
		if err := s.set(&l.cfg, value); err != nil {
			l.fault("%s %v", l.where[s.name], err)
		}
	}
}

// provider takes the default provider from the variables that its own tools
// read, and decides what follows from having one.
func (l *loader) provider() {
	l.cfg.Provider = Provider{BaseURL: l.env["OPENAI_BASE_URL"], Key: Secret(l.env["OPENAI_API_KEY"])}
	if u := l.cfg.Provider.BaseURL; u != "" && !isURL(u) {
		l.fault("OPENAI_BASE_URL must be an http or https URL without credentials")
	}
	if !l.k.Exists("models_open") {
		l.cfg.ModelsOpen = !l.listed
	}
	if l.cfg.Model != "" {
		return
	}
	switch {
	case l.cfg.Provider.Given():
		l.cfg.Model = defaultOnlineModel
	default:
		l.cfg.Model = OfflineModel
	}
}

// minBootstrapKey is the shortest key an operator may choose.
const minBootstrapKey = 20

func secretVariables() []string {
	return []string{"BAILIFF_BOOTSTRAP_KEY", "BAILIFF_BOOTSTRAP_KEY_FILE"}
}

func (l *loader) secrets() {
	key, path := l.env["BAILIFF_BOOTSTRAP_KEY"], l.env["BAILIFF_BOOTSTRAP_KEY_FILE"]
	if key != "" && path != "" {
		l.fault("BAILIFF_BOOTSTRAP_KEY and BAILIFF_BOOTSTRAP_KEY_FILE are both set: use one")
		return
	}
	if path != "" {
		data, err := l.src.Read(path)
		if err != nil {
			l.fault("BAILIFF_BOOTSTRAP_KEY_FILE cannot be read: %v", err)
			return
		}
		key = strings.TrimSpace(string(data))
	}
	if key != "" && (len(key) < minBootstrapKey || strings.ContainsFunc(key, notKeyRune)) {
		l.fault("the bootstrap key must have %d or more characters, all of them visible ASCII", minBootstrapKey)
		return
	}
	l.cfg.BootstrapKey = Secret(key)
}

func notKeyRune(r rune) bool { return r <= ' ' || r > '~' }

// finish checks what depends on several settings.
func (l *loader) finish() {
	if l.cfg.RunConcurrency > l.cfg.Concurrency && l.cfg.Concurrency > 0 {
		l.cfg.RunConcurrency = l.cfg.Concurrency
	}
	if l.cfg.Limits.Body > l.cfg.Limits.RunBody {
		l.fault("limits.body must not be more than limits.run_body")
	}
	if l.cfg.Model == OfflineModel || slices.ContainsFunc(l.cfg.Models, func(m Model) bool { return m.Slug == l.cfg.Model }) {
		return
	}
	if l.cfg.Provider.Given() {
		if !l.cfg.ModelsOpen { // the default model can be used although others cannot
			l.cfg.Models = append(l.cfg.Models, Model{Slug: l.cfg.Model})
		}
		return
	}
	l.fault("%s names %q, which models: does not list, and there is no default provider: set OPENAI_API_KEY or OPENAI_BASE_URL, or list the model", l.where["model"], shorten(l.cfg.Model))
}
