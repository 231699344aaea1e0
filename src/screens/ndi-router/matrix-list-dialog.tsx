// A dialog with the salvos or the scheduled takes of a matrix, and a button that adds one.
import type { ComponentProps, ReactNode } from 'react'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TEXT } from './dialog-text.ts'

export interface MatrixDialogProps {
  matrixId: number
  onClose: (completed?: boolean) => void
}

interface MatrixListDialogProps extends Pick<MatrixDialogProps, 'onClose'> {
  title: string
  /** The button that adds an entry. */
  add: Pick<ComponentProps<typeof CallButton>, 'call' | 'label' | 'onClick'>
  count: number
  max: number
  /** Explains the empty list. */
  emptyText: string
  /** Explains the disabled button when the list has `max` entries. */
  maxText: string
  children?: ReactNode
}

export function MatrixListDialog(props: MatrixListDialogProps) {
  const { title, add, count, max, emptyText, maxText, children, onClose } = props
  return (
    <Dialog
      title={title}
      onClose={onClose}
      cancelLabel={t(TEXT.close)}
      footer={<CallButton {...add} kind="main" icon="plus" disabledReason={count < max ? undefined : maxText} />}
    >
      {count === 0 && <p className="muted">{emptyText}</p>}
      {children}
    </Dialog>
  )
}
