import type { HttpsState } from '../../../contract/web/certificate.ts'
import { type State, StateLabel } from '../../ui/state-label.tsx'

const STATES: Readonly<Record<HttpsState, State>> = {
  disabled: ['off', ['Disabled', '已停用']],
  'self-signed': ['warn', ['Self-signed', '自签名']],
  enabled: ['good', ['Enabled', '已启用']],
  expiring: ['warn', ['Expires soon', '即将过期']],
  expired: ['bad', ['Expired', '已过期']],
  failed: ['bad', ['Failed', '失败']]
}

/** The state of HTTPS. */
export const HttpsLabel = ({ state }: { state: HttpsState }) => <StateLabel state={STATES[state]} />
