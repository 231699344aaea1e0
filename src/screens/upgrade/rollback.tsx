// Why the hub went back to the release before: the check that failed, its channels, and the last lines of the log.

import { cancelUpdate, type ReleaseRollback } from '../../../contract/update.ts'
import { CallButton } from '../../parts/actions.tsx'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import * as UI from '../../ui/text.ts'
import { discardUpdate } from './store.ts'
import { TEXT } from './text.ts'

/** The newest lines are in view. */
function scrollToEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight
}

export function RollbackCard({ version, time, reason, channels = [], lines }: ReleaseRollback) {
  return (
    <Card
      title={t(TEXT.rolledBack, version)}
      note={dateTime(time)}
      action={<CallButton call={cancelUpdate} icon="close" label={t(UI.dismiss)} onClick={discardUpdate} />}
    >
      <p className="fault" role="alert">
        {reason}
      </p>
      {channels.length > 0 && <p>{t(TEXT.channels, channels.join(', '))}</p>}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        <section className="scroll log-end" ref={scrollToEnd} aria-label={t(TEXT.log)} tabIndex={0}>
          <pre>{lines.join('\n')}</pre>
        </section>
      )}
    </Card>
  )
}
