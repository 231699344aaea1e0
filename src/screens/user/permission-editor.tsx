// Checkboxes for the permissions of a group. A click also changes the permissions that depend on each other; these are
// listed below.
import { useId, useState } from 'react'
import {
  ADMIN_ONLY_PERMISSIONS,
  addRequiredPermissions,
  hasAnyBit,
  removeDependentPermissions
} from '../../../contract/access/permissions.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { permissionHint, permissionName, permissionNames, permissionsIn, SECTIONS } from './permission-text.ts'
import { TEXT } from './text.ts'

interface PermissionEditorProps extends Pick<FieldBinding<number>, 'value' | 'error' | 'onValueChange'> {
  readOnly?: boolean
}

export function PermissionEditor({ value, error, onValueChange, readOnly }: PermissionEditorProps) {
  const [implied, setImplied] = useState(0)
  const id = useId()

  function toggle(bit: number): void {
    const next = hasAnyBit(value, bit)
      ? removeDependentPermissions((value & ~bit) >>> 0)
      : addRequiredPermissions((value | bit) >>> 0)
    setImplied(((value ^ next) & ~bit) >>> 0)
    onValueChange(next)
  }

  return (
    <>
      <div className="rights">
        {SECTIONS.map(({ title, permissions }) => {
          const visible = permissionsIn(permissions)
          return (
            visible.length > 0 && (
              <fieldset key={permissions} className="field">
                <legend>{t(title)}</legend>
                {visible.map((bit) => {
                  const isReserved = !readOnly && hasAnyBit(ADMIN_ONLY_PERMISSIONS, bit)
                  return (
                    <div key={bit} className="field check">
                      <label>
                        <input
                          type="checkbox"
                          checked={hasAnyBit(value, bit)}
                          disabled={readOnly || isReserved}
                          aria-invalid={error ? true : undefined}
                          aria-describedby={`${id}-${bit}`}
                          onChange={() => toggle(bit)}
                        />
                        {permissionName(bit)}
                      </label>
                      <small id={`${id}-${bit}`}>
                        {permissionHint(bit)}
                        {isReserved && <em>{t(TEXT.adminOnly)}</em>}
                      </small>
                    </div>
                  )
                })}
              </fieldset>
            )
          )
        })}
      </div>
      <p role="status">{permissionsIn(implied).length > 0 && t(TEXT.also, permissionNames(implied))}</p>
      <FieldMessage id={id} error={error} />
    </>
  )
}
