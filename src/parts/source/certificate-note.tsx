import type { Translation } from '../../text/language.ts'
import { t } from '../../text/language.ts'
import { StatusLabel } from '../../ui/status-label.tsx'

const TEXT: Translation = ['Any certificate accepted', '接受任何证书']

/** Names an input or output that does not check the certificate of its server, wherever it is shown. */
export const CertificateNote = () => (
  <small>
    <StatusLabel tone="warn" text={t(TEXT)} />
  </small>
)
