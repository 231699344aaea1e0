import type { MachineAccess } from '../../contract/machine/machine.ts'

/** Why the hub cannot change a part of its machine, and the next step. Nothing if it can. */
export function AccessNote({ access: { reason, 'next-step': nextStep } }: { access: MachineAccess }) {
  if (!reason) return null
  return (
    <p>
      {reason} <span className="muted">{nextStep}</span>
    </p>
  )
}
