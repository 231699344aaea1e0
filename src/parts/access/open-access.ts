// Opens the dialog about who sees devices, a device group, channels, or the objects that follow a default.
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { lazyDialog } from '../../ui/lazy/lazy.tsx'
import type { AccessSubject } from './audience.ts'

const AccessDialog = lazyDialog(() => import('./access-editor.tsx').then((module) => module.AccessDialog))

/** @returns whether the access was changed */
export const openAccess = (subject: AccessSubject): Promise<boolean> => openDialog(AccessDialog, { subject })
