// Command edge serves pcpscope and archives: compiled for js/wasm it is a
// Cloudflare Worker, natively a small server of the same handler for trying
// things out. docs/operators.md says how to set it up.
//
// Settings (variables and secrets of the Worker, or of the environment):
//
//	READ_TOKEN       what "Authorization: Bearer" must carry to read archives
//	ACCESS_TEAM      https://TEAM.cloudflareaccess.com, to take its logins
//	ACCESS_AUDIENCE  the tag of the Access application
//	PUBLIC_ARCHIVES  "yes": everybody may read archives
//	ORIGINS          origins whose pages may read archives by CORS, with blanks between
//	ARCHIVE_ORIGINS  origins beside its own from which the page may fetch archives
//	EMBEDDERS        the only origins that may hold embed.html in a frame
package main

import (
	"strings"

	"github.com/syumai/workers"

	"pcpscope/internal/site"
	"pcpscope/wasm/edge/worker"
)

func main() {
	c := worker.Config{
		Policy:  site.Policy{Archives: strings.Fields(setting("ARCHIVE_ORIGINS")), Embedders: strings.Fields(setting("EMBEDDERS"))},
		Origins: strings.Fields(setting("ORIGINS")),
		Public:  setting("PUBLIC_ARCHIVES") == "yes",
		Token:   setting("READ_TOKEN"),
	}
	if team := strings.TrimSuffix(setting("ACCESS_TEAM"), "/"); team != "" {
		c.Access = &worker.Access{Team: team, Audience: setting("ACCESS_AUDIENCE"), Keys: teamKeys(team)}
	}
	workers.Serve(worker.New(c, assets, bucket()))
}
