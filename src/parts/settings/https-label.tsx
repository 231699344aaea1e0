import type { HttpsState } from '../../../contract/web/certificate.ts'
import { type Translation, t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { StatusLabel } from '../../ui/status-label.tsx'

const STATES: Readonly<Record<HttpsState, readonly [tone: Tone, label: Translation]>> = {
  disabled: ['off', ['Disabled', '已停用']],
  'self-signed': ['warn', ['Self-signed', '自签名']],
  enabled: ['good', ['Enabled', '已启用']],
  expiring: ['warn', ['Expires soon', '即将过期']],
  expired: ['bad', ['Expired', '已过期']],
  failed: ['bad', ['Failed', '失败']]
}

/** The state of HTTPS. */
export function HttpsLabel({ state }: { state: HttpsState }) {
  const [tone, label] = STATES[state]
  return <StatusLabel tone={tone} text={t(label)} />
}
