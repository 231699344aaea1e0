// The shape of every request, for the hub alone: the console pays nothing for it. Typed against the call it belongs to, so the two
// cannot drift; a house test demands one for each declared call.
// Unknown fields are dropped. Numbers in a query arrive as text and are read here.
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
import './requests/session.ts'
import './requests/source.ts'
import './requests/system.ts'
import './requests/token.ts'
import './requests/update.ts'
import './requests/user.ts'

export { declaredCalls, refusalOf, requestShape } from './requests/shape.ts'
