// Command edge is the Cloudflare Worker that serves pcpscope and archives;
// docs/operators.md describes its setup. "./build.sh serve" runs the same
// handler natively.
//
// Settings (variables and secrets of the Worker):
//
//	READ_TOKEN       what "Authorization: Bearer" must carry to read archives
//	READ_TOKENS      named tokens and the hosts that each may read, one per line
//	ACCESS_TEAM      https://TEAM.cloudflareaccess.com, to accept its logins
//	ACCESS_AUDIENCE  the tag of the Access application
//	PUBLIC_ARCHIVES  "yes": anyone may read archives
//	ORIGINS          origins whose pages may read archives by CORS, separated by spaces
//	ARCHIVE_ORIGINS  other origins from which the page may fetch archives
//	EMBEDDERS        the only origins that may show embed.html in a frame
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare/queues"

	"pcpscope/internal/site"
	"pcpscope/wasm/edge/worker"
)

func main() {
	c, err := configure()
	if err != nil {
		fmt.Println("the Worker's settings:", err)
		workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Error(w, "The operator's settings cannot be used; the Worker's log says why.", http.StatusInternalServerError)
			}))
		}))
		return
	}
	archives := bucket()
	if r2, ok := archives.(r2); ok {
		store := &worker.CatalogStore{Bucket: r2, Writer: r2}
		c.Catalog = store
		hear(store)
	}
	handler := worker.New(c, assets, archives)
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r, handler) }))
}

func configure() (worker.Config, error) {
	c := worker.Config{
		Policy:  site.Policy{Archives: strings.Fields(setting("ARCHIVE_ORIGINS")), Embedders: strings.Fields(setting("EMBEDDERS"))},
		Origins: strings.Fields(setting("ORIGINS")),
		Public:  setting("PUBLIC_ARCHIVES") == "yes",
		Log:     write,
	}
	if err := c.Policy.Check(); err != nil {
		return c, err
	}
	if token := setting("READ_TOKEN"); token != "" {
		c.Tokens = append(c.Tokens, worker.Token{Name: "token", Secret: token})
	}
	if text := setting("READ_TOKENS"); text != "" {
		list, err := worker.ParseTokens(text)
		if err != nil {
			return c, err
		}
		c.Tokens = append(c.Tokens, list...)
	}
	if team := strings.TrimSuffix(setting("ACCESS_TEAM"), "/"); team != "" {
		c.Access = &worker.Access{Team: team, Audience: setting("ACCESS_AUDIENCE"), Keys: teamKeys(team)}
	}
	return c, nil
}

// write writes a line to the Worker's log.
func write(v worker.Visit) {
	text, err := json.Marshal(v)
	if err == nil {
		fmt.Println(string(text))
	}
}

// hear handles R2's event notifications of added and deleted objects, which arrive
// from a queue. A batch that fails is delivered again.
// https://developers.cloudflare.com/r2/buckets/event-notifications/
func hear(store *worker.CatalogStore) {
	queues.ConsumeNonBlock(func(batch *queues.MessageBatch) error {
		var keys []string
		for _, m := range batch.Messages {
			if object := m.Body.Get("object"); object.Truthy() && object.Get("key").Type() == js.TypeString {
				keys = append(keys, object.Get("key").String())
			}
		}
		err := store.Changed(context.Background(), keys)
		if err != nil {
			fmt.Println("the catalogue:", err)
		}
		return err
	})
}
