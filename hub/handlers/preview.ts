import { SUCCESS } from '../../contract/codes.ts'
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import type { Hub } from '../context.ts'
import { type Answer, answer, Refusal, signedIn } from '../http/handler.ts'

export function previewAnswers({ previews }: Hub): Answer[] {
  function checked(result: number): object {
    if (result !== SUCCESS) throw new Refusal(result)
    return {}
  }
  return [
    answer(openPreview, (context, wish) => previews.open(signedIn(context).session, wish)),
    // Neither is a change of anything kept: they belong to one open stream, so they have no line in the operation log.
    answer(setupPreview, (context, request) => checked(previews.setup(signedIn(context).session, request))),
    answer(clearPreview, (context, request) => checked(previews.clear(signedIn(context).session, request.id)))
  ]
}
