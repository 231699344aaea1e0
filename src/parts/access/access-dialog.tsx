// The dialog about who sees objects. It reads the inherited access before it shows the selection.
import { useEffect, useState } from 'react'
import { t } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Skeleton } from '../../ui/placeholder.tsx'
import * as UI from '../../ui/text.ts'
import { type AccessContent, loadAccess } from './load-access.ts'
import type { AccessSubject } from './subject.ts'
import { VisibilityDialog } from './visibility-dialog.tsx'

interface AccessDialogProps {
  subject: AccessSubject
  onClose: (succeeded?: boolean) => void
}

export function AccessDialog({ subject, onClose }: AccessDialogProps) {
  const [content, setContent] = useState<AccessContent>()
  useEffect(() => {
    void loadAccess(subject).then((loaded) => (loaded ? setContent(loaded) : onClose()))
  }, [])
  if (content) return <VisibilityDialog {...content} onClose={onClose} />
  return (
    <Dialog title={t(UI.loading)} onClose={() => onClose()}>
      <Skeleton />
    </Dialog>
  )
}
