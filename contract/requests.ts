// Zod schemas of all requests. Only the hub imports them, so that the console's bundle does not include zod. Each schema is typed
// against its call; a test in `test/house` requires one for each declared call.
// Unknown fields are removed. Numbers in a query string are converted from text.
import './requests/catalog.ts'
import './requests/channel.ts'
import './requests/channel-history.ts'
import './requests/device.ts'
import './requests/firmware.ts'
import './requests/log.ts'
import './requests/ndi.ts'
import './requests/port-forward.ts'
import './requests/preview.ts'
import './requests/qr.ts'
import './requests/second-factor.ts'
import './requests/session.ts'
import './requests/source.ts'
import './requests/system.ts'
import './requests/token.ts'
import './requests/update.ts'
import './requests/user.ts'

export { describeIssue, listDeclaredCalls, requestSchema } from './requests/schema.ts'
