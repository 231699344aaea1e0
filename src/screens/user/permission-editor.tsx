// The rights of a group as boxes to tick. What a click changes besides, because one right needs another, is marked and said.
import { useId, useState } from 'react'
import { ADMIN_ONLY, holds, withNeeded, withoutDependent } from '../../../contract/permissions.ts'
import { Below } from '../../form/labelled.tsx'
import type { Bound } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { listRights, rightMeaning, rightName, rightsIn, SECTIONS } from './rights.ts'
import { TEXT } from './text.ts'

interface PermissionEditorProps extends Pick<Bound<number>, 'value' | 'fault' | 'onValue'> {
  /** Only shown. */
  fixed?: boolean
}

export function PermissionEditor({ value, fault, onValue, fixed }: PermissionEditorProps) {
  const [besides, setBesides] = useState(0)
  const id = useId()

  function turn(bit: number): void {
    const next = holds(value, bit) ? withoutDependent((value & ~bit) >>> 0) : withNeeded((value | bit) >>> 0)
    setBesides(((value ^ next) & ~bit) >>> 0)
    onValue(next)
  }

  return (
    <>
      <div className="rights">
        {SECTIONS.map(({ title, rights }) => {
          const shown = rightsIn(rights)
          return (
            shown.length > 0 && (
              <fieldset key={rights} className="field">
                <legend>{t(title)}</legend>
                {shown.map((bit) => {
                  const barred = !fixed && holds(ADMIN_ONLY, bit)
                  return (
                    <div key={bit} className="field check">
                      <label>
                        <input
                          type="checkbox"
                          checked={holds(value, bit)}
                          disabled={fixed || barred}
                          aria-invalid={fault ? true : undefined}
                          aria-describedby={`${id}-${bit}`}
                          onChange={() => turn(bit)}
                        />
                        {rightName(bit)}
                      </label>
                      <small id={`${id}-${bit}`}>
                        {rightMeaning(bit)}
                        {barred && <em>{t(TEXT.adminOnly)}</em>}
                      </small>
                    </div>
                  )
                })}
              </fieldset>
            )
          )
        })}
      </div>
      <p role="status">{rightsIn(besides).length > 0 && t(TEXT.also, listRights(besides))}</p>
      <Below id={id} fault={fault} />
    </>
  )
}
