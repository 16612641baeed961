package main

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	"millwright.dev/benchmarks/cloud/client"
)

func start(t *testing.T, initial settings) (*client.Client, *inventory) {
	t.Helper()
	vms := newInventory()
	server := httptest.NewServer(newCloud(initial, &joining{vms: vms}, vms).handler())
	t.Cleanup(server.Close)
	return client.New(server.URL), vms
}

func TestAVMLivesFromItsCreationToItsDeletion(t *testing.T) {
	cloud, vms := start(t, settings{})
	ctx := context.Background()
	made, err := cloud.Create(ctx, "a")
	if err != nil || made.ID == "" {
		t.Fatalf("create: %v %v", made, err)
	}
	if found, err := cloud.Get(ctx, "a"); err != nil || found != made {
		t.Errorf("get: %v %v", found, err)
	}
	if all, err := cloud.List(ctx); err != nil || len(all) != 1 {
		t.Errorf("list: %v %v", all, err)
	}
	if err := cloud.Delete(ctx, "a"); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := cloud.Get(ctx, "a"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("get after delete: %v", err)
	}
	if err := cloud.Delete(ctx, "a"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("delete again: %v", err)
	}
	if figures := vms.figures(); figures["living"] != 0 || figures["deleted-absent"] != 1 {
		t.Errorf("figures: %v", figures)
	}
}

func TestASecondVMOfANameIsMadeAndCounted(t *testing.T) {
	cloud, vms := start(t, settings{})
	for range 2 {
		if _, err := cloud.Create(context.Background(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if figures := vms.figures(); figures["doubled"] != 1 || figures["living"] != 2 {
		t.Errorf("figures: %v", figures)
	}
}

func TestScriptedFaults(t *testing.T) {
	cloud, vms := start(t, settings{FailNext: map[string]int{"create": 1}, LoseNext: 1})
	if _, err := cloud.Create(context.Background(), "a"); err == nil || vms.figures()["living"] != 0 {
		t.Errorf("a create that fails has no effect: %v %v", err, vms.figures())
	}
	if _, err := cloud.Create(context.Background(), "a"); err == nil || vms.figures()["living"] != 1 {
		t.Errorf("one whose answer is lost has: %v %v", err, vms.figures())
	}
}
