package main

import (
	"fmt"
	"sort"
	"sync"

	"millwright.dev/benchmarks/cloud/client"
)

// inventory is the VMs that live, and what can be said against whoever made them.
type inventory struct {
	mutex   sync.Mutex
	byName  map[string][]client.VM
	next    int
	living  int
	created int
	deleted int
	most    int
	doubled int // how often a VM was made while another of its name lived
	missed  int // how often one was deleted that was not there
}

func newInventory() *inventory { return &inventory{byName: map[string][]client.VM{}} }

func (i *inventory) create(name string) client.VM {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.next++
	vm := client.VM{ID: fmt.Sprintf("bench:///zone-1/vm-%08d", i.next), Name: name}
	if len(i.byName[name]) > 0 {
		i.doubled++
	}
	i.byName[name] = append(i.byName[name], vm)
	i.created++
	i.living++
	i.most = max(i.most, i.living)
	return vm
}

// get returns the oldest VM of that name.
func (i *inventory) get(name string) (client.VM, bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	found := i.byName[name]
	if len(found) == 0 {
		return client.VM{}, false
	}
	return found[0], true
}

func (i *inventory) lives(vm client.VM) bool {
	found, ok := i.get(vm.Name)
	return ok && found.ID == vm.ID
}

func (i *inventory) remove(name string) bool {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	gone := len(i.byName[name])
	if gone == 0 {
		i.missed++
		return false
	}
	delete(i.byName, name)
	i.deleted += gone
	i.living -= gone
	return true
}

func (i *inventory) list() []client.VM {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	all := make([]client.VM, 0, i.living)
	for _, group := range i.byName {
		all = append(all, group...)
	}
	sort.Slice(all, func(a, b int) bool { return all[a].ID < all[b].ID })
	return all
}

func (i *inventory) figures() map[string]int {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return map[string]int{"living": i.living, "created": i.created, "deleted": i.deleted, "most": i.most,
		"doubled": i.doubled, "deleted-absent": i.missed}
}
