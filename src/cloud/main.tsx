// Starts the pages of the cloud.
import { SESSION_EXPIRY } from '../../contract/limits.ts'
import { startPages } from '../frame/start.ts'
import { $lastResponseAt, setTransport } from '../link/fetch-json.ts'
import { extendSession } from '../state/session.ts'
import { CloudApp } from './app.tsx'
import { CLOUD_PATHS, fetchFromCloud } from './transport.ts'

setTransport({ fetch: fetchFromCloud, cloudCalls: CLOUD_PATHS })
// The status of a hub says how long sessions last, and extends the cached one. The cloud has no such status.
$lastResponseAt.listen(() => extendSession(SESSION_EXPIRY))
void startPages(CloudApp)
