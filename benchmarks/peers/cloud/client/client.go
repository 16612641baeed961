// Package client is how every contender's driver reaches the simulated cloud. It has no logic: one call, one request.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

// ErrNotFound says that no such VM lives.
var ErrNotFound = errors.New("no such VM")

// VM is what the cloud tells of one.
type VM struct {
	ID   string `json:"id"`   // as in a Node's spec.providerID
	Name string `json:"name"` // what its maker called it, which is its Node's name too
}

// Client speaks to one cloud.
type Client struct {
	base string
	http *http.Client
}

// New returns a client of the cloud at an address like http://127.0.0.1:8080.
func New(base string) *Client {
	// Without these, Go closes all but two idle connections and dials anew for most calls.
	transport := &http.Transport{MaxIdleConns: 0, MaxIdleConnsPerHost: 4096}
	return &Client{base: base, http: &http.Client{Transport: transport}}
}

// FromEnvironment returns a client of the cloud that the benchmark has started.
func FromEnvironment() (*Client, error) {
	base := os.Getenv("SIMULATED_CLOUD")
	if base == "" {
		return nil, errors.New("SIMULATED_CLOUD is not set: it names the cloud's address")
	}
	return New(base), nil
}

// Create makes a VM, a further one if there is one of that name: real clouds do so too.
func (c *Client) Create(ctx context.Context, name string) (VM, error) {
	body, err := json.Marshal(VM{Name: name})
	if err != nil {
		return VM{}, err
	}
	var made VM
	err = c.call(ctx, http.MethodPost, "/vms", body, &made)
	return made, err
}

// Get returns the VM of that name.
func (c *Client) Get(ctx context.Context, name string) (VM, error) {
	var found VM
	err := c.call(ctx, http.MethodGet, "/vms/"+url.PathEscape(name), nil, &found)
	return found, err
}

// Delete ends every VM of that name.
func (c *Client) Delete(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, "/vms/"+url.PathEscape(name), nil, nil)
}

// List returns all VMs.
func (c *Client) List(ctx context.Context) ([]VM, error) {
	var all []VM
	err := c.call(ctx, http.MethodGet, "/vms", nil, &all)
	return all, err
}

func (c *Client) call(ctx context.Context, method, path string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return err
	case answer.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case answer.StatusCode >= 300:
		return fmt.Errorf("the cloud answers %s: %s", answer.Status, text)
	case into == nil:
		return nil
	}
	return json.Unmarshal(text, into)
}
