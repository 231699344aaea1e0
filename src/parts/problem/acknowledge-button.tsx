import { acknowledgeProblems, type Problem } from '../../../contract/problem.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { withdrawAcknowledgement } from './problems.ts'
import * as TEXT from './text.ts'

const AcknowledgeDialog = lazyDialog(() =>
  import('./acknowledge-dialog.tsx').then((module) => module.AcknowledgeDialog)
)

/** Asks for a note, then acknowledges problems. @returns whether that was done */
export const openAcknowledgeDialog = (problems: readonly Problem[]): Promise<boolean> =>
  openDialog(AcknowledgeDialog, { problems })

/** Acknowledges a problem, or withdraws that. Hidden from users without the permission. */
export function AcknowledgeButton({ problem }: { problem: Problem }) {
  if (!useStore($isAllowed)(acknowledgeProblems)) return null
  return problem.ack ? (
    <CallButton call={acknowledgeProblems} label={t(TEXT.undo)} onClick={() => withdrawAcknowledgement(problem)} />
  ) : (
    <CallButton
      call={acknowledgeProblems}
      label={t(TEXT.acknowledge)}
      onClick={() => void openAcknowledgeDialog([problem])}
    />
  )
}
