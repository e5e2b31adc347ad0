package e2e

// lifeTables are what each operation answers in each state, as docs/life.md prints it.
const lifeTables = `
| model | read | script | history | runs | builds | revisions | read draft | read revision | read run | read build | compare |
|---|---|---|---|---|---|---|---|---|---|---|---|
| building | 200 | 200 | 404 no_history | 200 | 200 | 200 | 409 not_ready | 404 not_found | 200 | 200 | 409 run_incomplete |
| failed | 200 | 200 | 404 no_history | 200 | 200 | 200 | 409 not_ready | 404 not_found | 200 | 200 | 409 run_incomplete |
| failed, rebuilding | 200 | 200 | 404 no_history | 200 | 200 | 200 | 409 not_ready | 404 not_found | 200 | 200 | 409 run_incomplete |
| active | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| updating by a run | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| updating by a refresh | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| updating by a cascade | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| waiting for its members | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| promoting | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| rebuilding | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| rebuilt | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| snapshot queued | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| snapshot running | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| paused | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| blocked | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| held | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| held, and run again | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| held in the Trash | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| without credit | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| draft saved | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| draft of an earlier base | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| test queued | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| test running | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| test failed | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| tested | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| tested on an earlier base | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| applied | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| trashed | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| trashed with its member | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| trashed, its symbol taken | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| restored | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 | 200 |
| purged | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |

| model | create another X | run | snapshot | intent test | intent refresh | rebuild | promote | promote first run |
|---|---|---|---|---|---|---|---|---|
| building | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 409 not_ready | 409 run_conflict | 409 rebuild_conflict | 409 run_incomplete | 409 run_incomplete |
| failed | 409 symbol_taken | 409 not_ready | 409 not_ready | 409 not_ready | 409 not_ready | 202 → building | 409 run_incomplete | 409 run_incomplete |
| failed, rebuilding | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 409 not_ready | 409 run_conflict | 409 rebuild_conflict | 409 run_incomplete | 409 run_incomplete |
| active | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| updating by a run | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 202 | 409 run_conflict | 202 | 409 run_conflict | 409 run_conflict |
| updating by a refresh | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 202 | 409 run_conflict | 202 | 409 run_conflict | 409 run_conflict |
| updating by a cascade | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 202 | 409 run_conflict | 202 | 409 run_conflict | 409 run_conflict |
| waiting for its members | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 202 → updating |
| promoting | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 202 | 409 run_conflict | 409 rebuild_conflict | 409 run_conflict | 409 run_conflict |
| rebuilding | 409 symbol_taken | 409 run_conflict | 409 run_conflict | 202 | 409 run_conflict | 409 rebuild_conflict | 409 run_conflict | 409 run_conflict |
| rebuilt | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 409 script_changed | 409 script_changed |
| snapshot queued | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| snapshot running | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| paused | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| blocked | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| held | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| held, and run again | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| held in the Trash | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| without credit | 402 insufficient_funds | 402 insufficient_funds | 402 insufficient_funds | 402 insufficient_funds | 402 insufficient_funds | 402 insufficient_funds | 402 insufficient_funds | 409 already_default |
| draft saved | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| draft of an earlier base | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 409 script_changed | 409 script_changed |
| test queued | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| test running | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| test failed | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| tested | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| tested on an earlier base | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 409 script_changed | 409 script_changed |
| applied | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 202 → updating |
| trashed | 202 | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| trashed with its member | 202 | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| trashed, its symbol taken | 409 symbol_taken | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| restored | 409 symbol_taken | 202 → updating | 202 | 202 | 202 → updating | 202 | 202 → updating | 409 already_default |
| purged | 202 | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |

| model | save draft | test draft | label test | apply | rename | auto_update | share |
|---|---|---|---|---|---|---|---|
| building | 409 not_ready | 409 not_ready | 404 not_found | 404 not_found | 200 | 409 not_ready | 200 |
| failed | 409 not_ready | 409 not_ready | 404 not_found | 404 not_found | 200 | 409 not_ready | 200 |
| failed, rebuilding | 409 not_ready | 409 not_ready | 404 not_found | 404 not_found | 200 | 409 not_ready | 200 |
| active | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| updating by a run | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| updating by a refresh | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| updating by a cascade | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| waiting for its members | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| promoting | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| rebuilding | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| rebuilt | 200 | 202 | 409 not_applicable | 409 not_applicable | 200 | 200 | 200 |
| snapshot queued | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| snapshot running | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| paused | 200 | 202 | 409 not_applicable | 200 | 200 | 200 → updating | 200 |
| blocked | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| held | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| held, and run again | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| held in the Trash | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| without credit | 200 | 402 insufficient_funds | 409 not_applicable | 200 | 200 | 200 | 200 |
| draft saved | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| draft of an earlier base | 200 | 409 base_changed | 409 not_applicable | 409 not_applicable | 200 | 200 | 200 |
| test queued | 200 | 202 | 409 not_ready | 409 not_applicable | 200 | 200 | 200 |
| test running | 200 | 202 | 409 not_ready | 409 not_applicable | 200 | 200 | 200 |
| test failed | 200 | 202 | 200 | 409 not_applicable | 200 | 200 | 200 |
| tested | 200 | 202 | 200 | 200 | 200 | 200 | 200 |
| tested on an earlier base | 200 | 409 base_changed | 200 | 409 base_changed | 200 | 200 | 200 |
| applied | 200 | 202 | 200 | 200 | 200 | 200 | 200 |
| trashed | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| trashed with its member | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| trashed, its symbol taken | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
| restored | 200 | 202 | 409 not_applicable | 200 | 200 | 200 | 200 |
| purged | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |

| model | share run | delete first run | delete snapshot | delete | restore | purge |
|---|---|---|---|---|---|---|
| building | 200 | 409 run_in_flight | 409 run_in_flight | 409 model_busy | 404 not_found | 404 not_found |
| failed | 200 | 200 | 200 | 200 → trashed | 404 not_found | 404 not_found |
| failed, rebuilding | 200 | 200 | 200 | 409 model_busy | 404 not_found | 404 not_found |
| active | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| updating by a run | 200 | 409 run_live | 200 | 409 model_busy | 404 not_found | 404 not_found |
| updating by a refresh | 200 | 409 run_live | 200 | 409 model_busy | 404 not_found | 404 not_found |
| updating by a cascade | 200 | 200 | 200 | 409 model_busy | 404 not_found | 404 not_found |
| waiting for its members | 200 | 200 | 200 | 200 → trashed | 404 not_found | 404 not_found |
| promoting | 200 | 409 run_live | 200 | 409 model_busy | 404 not_found | 404 not_found |
| rebuilding | 200 | 409 run_live | 200 | 409 model_busy | 404 not_found | 404 not_found |
| rebuilt | 200 | 200 | 200 | 200 → trashed | 404 not_found | 404 not_found |
| snapshot queued | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| snapshot running | 200 | 409 run_live | 200 | 409 model_busy | 404 not_found | 404 not_found |
| paused | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| blocked | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| held | 200 | 409 run_live | 200 | 409 model_held | 404 not_found | 404 not_found |
| held, and run again | 200 | 409 run_live | 200 | 409 model_held | 404 not_found | 404 not_found |
| held in the Trash | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| without credit | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| draft saved | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| draft of an earlier base | 200 | 200 | 200 | 200 → trashed | 404 not_found | 404 not_found |
| test queued | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| test running | 200 | 409 run_live | 200 | 409 model_busy | 404 not_found | 404 not_found |
| test failed | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| tested | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| tested on an earlier base | 200 | 200 | 200 | 200 → trashed | 404 not_found | 404 not_found |
| applied | 200 | 200 | 200 | 200 → trashed | 404 not_found | 404 not_found |
| trashed | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 200 → active | 200 → gone |
| trashed with its member | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 409 trash_dependencies | 200 → gone |
| trashed, its symbol taken | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 409 symbol_taken | 200 → gone |
| restored | 200 | 409 run_live | 200 | 200 → trashed | 404 not_found | 404 not_found |
| purged | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found | 404 not_found |
`
