// Checkboxes for the permissions of a group. A click also changes the permissions that depend on each other; these are
// listed below.
import { useId, useState } from 'react'
import {
  ADMIN_GRANTED_PERMISSIONS,
  addRequiredPermissions,
  hasAnyBit,
  removeDependentPermissions
} from '../../../contract/access/permissions.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { ungrantable } from './management.ts'
import { permissionHint, permissionName, permissionNames, permissionsIn, SECTIONS } from './permission-text.ts'
import { TEXT } from './text.ts'

interface PermissionEditorProps extends Pick<FieldBinding<number>, 'value' | 'error' | 'onValueChange'> {
  readOnly?: boolean
  /** The stored permissions of the group. A user who edits the group can clear them and set them again. */
  saved?: number
}

/** Why the signed-in user cannot grant a permission. */
const grantReason = (bit: number) =>
  hasAnyBit(ADMIN_GRANTED_PERMISSIONS, bit) ? t(TEXT.adminGrants, permissionName(bit).toLowerCase()) : t(TEXT.notHeld)

export function PermissionEditor({ value, error, onValueChange, readOnly, saved = 0 }: PermissionEditorProps) {
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
                  const isOutOfReach = !readOnly && ungrantable(bit & ~saved) !== 0
                  return (
                    <div key={bit} className="field check">
                      <label>
                        <input
                          type="checkbox"
                          checked={hasAnyBit(value, bit)}
                          disabled={readOnly || isOutOfReach}
                          aria-invalid={error ? true : undefined}
                          aria-describedby={`${id}-${bit}`}
                          onChange={() => toggle(bit)}
                        />
                        {permissionName(bit)}
                      </label>
                      <small id={`${id}-${bit}`}>
                        {permissionHint(bit)}
                        {isOutOfReach && <em>{grantReason(bit)}</em>}
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
