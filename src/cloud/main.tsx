// Starts the pages of the cloud.
import { startPages } from '../frame/start.ts'
import { setTransport } from '../link/fetch-json.ts'
import { CloudApp } from './app.tsx'
import { closedSocket, fetchFromCloud } from './transport.ts'

setTransport({ fetch: fetchFromCloud, socket: closedSocket })
void startPages(CloudApp)
