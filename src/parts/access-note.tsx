// What this installation is not set up for: why, and the commands that set it up.
import type { MachineAccess } from '../../contract/machine/machine.ts'
import { type Translation, t } from '../text/language.ts'
import { Card } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

interface Obstacle extends Pick<MachineAccess, 'reason' | 'next-step'> {
  command?: string | undefined
}

/** Why the hub cannot do something, and the next step with its commands. Nothing if it can. */
export function AccessNote({ access: { reason, 'next-step': nextStep = '', command } }: { access: Obstacle }) {
  if (!reason) return null
  return (
    <>
      <p>
        {/* The commands stand below. */}
        {reason} <br />
        <span className="muted">{command ? nextStep.replace(command, '') : nextStep}</span>
      </p>
      {command && (
        <div className="row">
          <pre>{command}</pre>
          <CopyButton text={command} />
        </div>
      )}
    </>
  )
}

export const NOT_SET_UP: Translation = ['Not set up', '未配置']

/** A card for each reason why parts of a page cannot be changed, with the names of those parts. */
export function NotSetUp({ parts }: { parts: readonly (readonly [name: string, access: Obstacle])[] }) {
  const reasons = new Set(parts.map(([, { reason }]) => reason))
  return [...reasons].map((reason) => {
    const concerned = parts.filter(([, access]) => reason && access.reason === reason)
    const [first] = concerned
    return (
      first && (
        <Card key={reason} title={t(NOT_SET_UP)} fullWidth>
          <ul>
            {concerned.map(([name]) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          <AccessNote access={first[1]} />
        </Card>
      )
    )
  })
}
