package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"millwright.dev/benchmarks/cloud/client"
)

// settings may be changed while the cloud runs, by PUT /settings. Times are in milliseconds.
type settings struct {
	Create int `json:"create"`
	Get    int `json:"get"`
	Delete int `json:"delete"`
	Boot   int `json:"boot"`
	// So many of the next calls of a kind fail before they have an effect.
	FailNext map[string]int `json:"failNext"`
	// So many of the next creates have their effect, and their answer is lost.
	LoseNext int `json:"loseNext"`
}

type cloud struct {
	vms     *inventory
	joining *joining

	mutex    sync.Mutex
	settings settings
	calls    map[string]int
	stopBeat context.CancelFunc
}

func newCloud(initial settings, joining *joining, vms *inventory) *cloud {
	return &cloud{vms: vms, joining: joining, settings: initial, calls: map[string]int{}, stopBeat: func() {}}
}

func (c *cloud) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /vms", c.create)
	mux.HandleFunc("GET /vms", c.list)
	mux.HandleFunc("GET /vms/{name}", c.get)
	mux.HandleFunc("DELETE /vms/{name}", c.remove)
	mux.HandleFunc("PUT /settings", c.set)
	mux.HandleFunc("PUT /heartbeats", c.beat)
	mux.HandleFunc("GET /figures", c.figures)
	return mux
}

// enter counts a call, waits as long as it takes, and says whether it may have an effect.
func (c *cloud) enter(kind string, wait func(settings) int) bool {
	c.mutex.Lock()
	c.calls[kind]++
	pause := time.Duration(wait(c.settings)) * time.Millisecond
	fails := c.settings.FailNext[kind] > 0
	if fails {
		c.settings.FailNext[kind]--
	}
	c.mutex.Unlock()
	time.Sleep(pause)
	return !fails
}

func (c *cloud) create(w http.ResponseWriter, r *http.Request) {
	var asked client.VM
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Name == "" {
		http.Error(w, "a VM needs a name", http.StatusBadRequest)
		return
	}
	if !c.enter("create", func(s settings) int { return s.Create }) {
		http.Error(w, "no capacity left, by the script", http.StatusServiceUnavailable)
		return
	}
	vm := c.vms.create(asked.Name)
	c.mutex.Lock()
	boot := time.Duration(c.settings.Boot) * time.Millisecond
	lost := c.settings.LoseNext > 0
	if lost {
		c.settings.LoseNext--
	}
	c.mutex.Unlock()
	time.AfterFunc(boot, func() { c.joining.join(vm) })
	if lost {
		panic(http.ErrAbortHandler) // closes the connection
	}
	answer(w, vm)
}

func (c *cloud) get(w http.ResponseWriter, r *http.Request) {
	if !c.enter("get", func(s settings) int { return s.Get }) {
		http.Error(w, "failed by the script", http.StatusServiceUnavailable)
		return
	}
	if vm, ok := c.vms.get(r.PathValue("name")); ok {
		answer(w, vm)
		return
	}
	http.NotFound(w, r)
}

func (c *cloud) remove(w http.ResponseWriter, r *http.Request) {
	if !c.enter("delete", func(s settings) int { return s.Delete }) {
		http.Error(w, "failed by the script", http.StatusServiceUnavailable)
		return
	}
	if !c.vms.remove(r.PathValue("name")) {
		http.NotFound(w, r)
	}
}

func (c *cloud) list(w http.ResponseWriter, _ *http.Request) {
	if !c.enter("list", func(s settings) int { return s.Get }) {
		http.Error(w, "failed by the script", http.StatusServiceUnavailable)
		return
	}
	answer(w, c.vms.list())
}

func (c *cloud) set(w http.ResponseWriter, r *http.Request) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := json.NewDecoder(r.Body).Decode(&c.settings); err != nil { // what is left out stays as it is
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// beat takes the names of Nodes and a period in milliseconds; 0 ends it.
func (c *cloud) beat(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Period int      `json:"period"`
		Nodes  []string `json:"nodes"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stopBeat()
	c.stopBeat = func() {}
	if asked.Period > 0 {
		var ctx context.Context
		ctx, c.stopBeat = context.WithCancel(context.Background())
		go c.joining.beat(ctx, asked.Nodes, time.Duration(asked.Period)*time.Millisecond)
	}
}

func (c *cloud) figures(w http.ResponseWriter, _ *http.Request) {
	all := c.vms.figures()
	all["nodes"] = int(c.joining.posted.Load())
	all["heartbeats"] = int(c.joining.beats.Load())
	all["nodes-refused"] = int(c.joining.refused.Load())
	c.mutex.Lock()
	for kind, count := range c.calls {
		all["calls-"+kind] = count
	}
	c.mutex.Unlock()
	answer(w, all)
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // whoever has gone away needs none
}
