// Handler for described forms (contract/form/form.ts).
import { createHash } from 'node:crypto'
import { SUCCESS } from '../../../contract/codes.ts'
import type { DeclaredCard } from '../../../contract/form/declaration.schema.ts'
import { describeForms, FORM_PAGES } from '../../../contract/form/form.ts'
import { FORMS } from '../../../contract/form/pages/pages.schema.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import { type Handler, handle, requireCaller } from '../../http/handler.ts'
import { FormDescriber } from './describe.ts'

/** A revision of a description: equal descriptions have the same one, also after a restart of the hub. */
const revisionOf = (description: object): number =>
  Number.parseInt(createHash('sha256').update(JSON.stringify(description)).digest('hex').slice(0, 12), 16)

export function formHandlers({ gate }: { gate: Gate }): Handler {
  /** The cards of a page whose values the caller may read. */
  const cardsOf = (page: (typeof FORM_PAGES)[number], caller: Caller): readonly DeclaredCard[] =>
    FORMS[page].cards.filter(({ read }) => gate.checkPermission(read, caller) === SUCCESS)

  return handle(describeForms, (context, { name, since }) => {
    const caller = requireCaller(context)
    const describer = new FormDescriber(context.language)
    const entriesOf = (route: (typeof FORM_PAGES)[number]) => {
      const { tab } = FORMS[route]
      // A card that names an obstacle is no setting.
      const settings = cardsOf(route, caller).filter(({ obstacle }) => obstacle === undefined)
      return settings.map((card) => ({
        route,
        ...(tab && { tab }),
        name: card.name,
        title: describer.title(card),
        labels: describer.labels(card)
      }))
    }
    const description = name
      ? { cards: cardsOf(name, caller).map((card) => describer.card(card)) }
      : { entries: FORM_PAGES.flatMap(entriesOf) }
    const rev = revisionOf(description)
    return rev === since ? { rev, partial: true } : { rev, ...description }
  })
}
