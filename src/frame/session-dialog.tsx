import { endSessions as endSessionsCall } from '../../contract/user.ts'
import { ActButton } from '../parts/actions.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { $session } from '../state/session.ts'
import { $sessions, endSessions } from '../state/sessions.ts'
import { ago } from '../text/dates.ts'
import { t } from '../text/language.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Since } from '../ui/since.tsx'
import { State } from '../ui/state.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Where one is signed in, with a way to end it elsewhere. */
export function SessionDialog({ onClose }: { onClose: () => void }) {
  const me = useStore($session)
  // The Admin group is told all sessions.
  const sessions = useStore($sessions).value?.list.filter((session) => session['user-id'] === me?.id) ?? []
  const others = sessions.filter(({ own }) => !own).map(({ id }) => id)
  return (
    <Dialog
      title={t(TEXT.sessions)}
      onClose={onClose}
      cancel={t(TEXT.closeDialog)}
      footer={
        others.length > 0 && (
          <ActButton call={endSessionsCall} kind="danger" label={t(TEXT.endOthers)} onAct={() => endSessions(others)} />
        )
      }
    >
      <Loaded of={$sessions} empty={sessions.length === 0} says={t(TEXT.noSessions)}>
        <ul className="lines">
          {sessions.map(({ id, ip, browser, seen, own }) => (
            <li key={id}>
              <div>
                {browser} <span className="muted">{ip}</span>
              </div>
              <Since at={seen} say={ago} />
              {own ? (
                <State tone="good" text={t(TEXT.thisOne)} />
              ) : (
                <ActButton
                  call={endSessionsCall}
                  bare
                  icon="output"
                  label={t(TEXT.endAt, ip)}
                  onAct={() => endSessions([id])}
                />
              )}
            </li>
          ))}
        </ul>
      </Loaded>
    </Dialog>
  )
}
