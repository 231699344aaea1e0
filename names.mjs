/**
 * Properties that nobody but the console's own code knows by their names, and that it never looks up by a text: in the script they are
 * called shorter. A name must leave this list before the hub, the browser or a text says it; `test/bundle/` watches over that.
 */
export const OWN_NAMES = `
$devices $lines $list $page $request $saved
actions addressOf ask badges bar barred batch branches cancelRest ceiling clearText closes consume drawn epoch fits keepLead keyOf
leadsTo legsOf listen lockedS menuOpen noneFound onAct onAdd onDismiss onDone onHold onLeave onMenu onRetry onSight onSort
onValue orderOf ownersOf paged patient phase quiet requestOf reserve room rowActions run saved says say scopes secretOf single
sorting takes ties toggleAll topic pace unfilter unwatch valuesOf verb wire
`
  .trim()
  .split(/\s+/)
