/**
 * Properties that nobody but the console's own code knows by their names, and that it never looks up by a text: in the script they are
 * called shorter. A name must leave this list before the hub, the browser or a text says it; `test/bundle/` watches over that.
 */
export const OWN_NAMES = `
$devices $lines $list $page $request $saved actions addressOf alarm ask badges bar barred batch branches cancelRest ceiling
clearText closes consume drawn epoch fits folded hold instead keyOf kinds leadsTo legsOf listen listeners lockedS make
masked menuOpen noneFound onAct onAdd onDismiss onDone onFile onHold onLeave onMenu onRetry onSight onSort onValue orderOf
ownersOf pace paged patient phase quiet requestOf reserve room rowActions run saved say says scanned scopes secretOf sending
several shown single sorting stale takes these ties toggleAll topic unfilter valuesOf verb wire
`
  .trim()
  .split(/\s+/)
