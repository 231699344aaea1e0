// Section 1: the product, its users, its languages, and the families of devices.
import assert from 'node:assert/strict'
import {
  canRecordAndStream,
  hasConnectionConfig,
  hasDetailView,
  isInteractive
} from '../../contract/device/families.ts'
import * as products from '../../contract/device/products.ts'
import {
  displaySerial,
  familyOfProduct,
  findFamily,
  PRODUCT_FAMILIES,
  productIdOf
} from '../../contract/device/products.ts'
import { LANGUAGE_COOKIE_DAYS } from '../../contract/limits.ts'
import { PROTOCOL_NAMES } from '../../contract/stream/protocols.ts'
import { HUB_UPGRADE } from './roadmap.ts'
import { checked, part, planned, type Row, type Section, tested, valueRows } from './rows.ts'

const FAMILIES = {
  ALL_FAMILIES: 0,
  ULTRA_STREAM: 1,
  ULTRA_ENCODE: 2,
  PRO_CONVERT_ENCODER: 3,
  PRO_CONVERT_DECODER: 4,
  PRO_CONVERT_AUDIO: 5,
  USB_FUSION: 6,
  DIRECTOR: 7,
  XMIT: 8,
  MODATOR: 9,
  ROUTER: 10,
  USB_CAPTURE: 11,
  OTHERS: 254,
  THIRD_PARTY: 4278190080
}

const NAMES = [
  'Ultra Stream',
  'Ultra Encode',
  'Pro Convert Encoder',
  'Pro Convert Decoder',
  'Pro Convert Audio',
  'USB Fusion',
  'Director',
  'Xmit',
  'Modator',
  'Router',
  'USB Capture',
  'Third Party',
  'Others'
]

const PRODUCTS: Readonly<Record<string, readonly number[]>> = {
  'Ultra Stream': [769, 770],
  'Ultra Encode': [772, 773, 785, 786, 787, 789, 790],
  Director: [1297, 1305, 1318, 1320]
}

const productRows = Object.entries(PRODUCTS).flatMap(([name, ids]) =>
  ids.map(
    (id): Row =>
      checked(`A device with the product id ${id} belongs to the family ${name}.`, () =>
        assert.equal(findFamily(familyOfProduct(id) ?? 0)?.name, name)
      )
  )
)

const recording = (name: string, id: number, module: number, expected: boolean): Row =>
  checked(`${name} ${expected ? 'can' : 'cannot'} record and stream by itself.`, () =>
    assert.equal(canRecordAndStream({ module, 'product-id': id }), expected)
  )

export const PRODUCT: Section = {
  number: 1,
  title: 'Product and users',
  file: 'product.ts',
  parts: [
    part(
      'Functions',
      tested(
        'A device registers, is accepted, shows its preview, and leaves and returns.',
        'hub/whole-path.test.ts',
        'a device registers, is accepted, shows its preview, handles calls, disconnects and reconnects'
      ),
      tested(
        'The dashboard shows what the hub measures.',
        'src/screens/dashboard/dashboard.test.tsx',
        'every number is the one that the hub returns'
      ),
      tested(
        'Devices are put into groups.',
        'hub/handlers/catalog/catalog.test.ts',
        'devices are moved all or none, counted, and removed from a group again'
      ),
      tested(
        'A channel has an input and outputs.',
        'hub/handlers/channel/channel.test.ts',
        'a channel is added, gets an input and an output, is renamed and deleted'
      ),
      Object.entries({ RTMP: 1, SRT: 2, UDP: 4, RTP: 8, RTSP: 16, HTTP: 32, NDI: 64 }).map(([name, bit]) =>
        checked(`Inputs and outputs speak ${name}.`, () => assert.equal(PROTOCOL_NAMES[bit], name))
      ),
      tested(
        'A matrix routes NDI sources to NDI destinations.',
        'hub/ndi/real-router.test.ts',
        'a take reaches both receivers within 100 ms, with at most 100 ms without a frame'
      ),
      tested(
        'The firmware of devices is stored at the hub and rolled out.',
        'hub/handlers/firmware/rollout.test.ts',
        'one device is updated first; the others follow in waves once it has succeeded'
      ),
      tested(
        'The hub keeps operation, system and device logs.',
        'hub/handlers/system/system.test.ts',
        'each log has its own entries: the hub’s, the devices’ with serial number, the users’ with name and address'
      ),
      tested(
        'The console of the hub is upgraded.',
        'src/screens/upgrade/upgrade.test.tsx',
        'an update is uploaded, verified, installed after a confirmation, and then the page reloads'
      ),
      tested(
        'A licence is added, and its limits are in force.',
        'hub/license/license.test.ts',
        'an activated licence is shown as it is, and its limits are in force'
      ),
      tested(
        'Users are added and sign in.',
        'src/screens/user/users.test.tsx',
        'a user is added, and can sign in with the password'
      ),
      tested(
        'Programs sign in with access tokens.',
        'src/screens/token/list.test.tsx',
        'a new token is shown once, works, and is then known by its first characters only'
      ),
      tested(
        'The network of the machine is set in the console.',
        'browser/machine/network.test.ts',
        'the console follows to the new address by itself, and keeps the change there'
      ),
      tested(
        'The firewall of the machine is set in the console.',
        'src/screens/firewall/firewall.test.tsx',
        'a rule is added, its effect is shown before it is applied, and the change is kept'
      ),
      tested(
        'A port of the hub is forwarded to a port of a device.',
        'src/screens/port-forward/list.test.tsx',
        'a port is forwarded to a device that is found by its name'
      )
    ),
    part(
      'Users',
      tested(
        'There is the account Admin, and three groups from the start.',
        'hub/handlers/user/user.test.ts',
        'a new hub has the user Admin and three groups, which can be requested separately'
      ),
      tested(
        'Every other user has the permissions of a user group.',
        'hub/handlers/user/user.test.ts',
        'a new user signs in with that password, and is a viewer if no group is given'
      )
    ),
    part(
      'Languages',
      tested(
        'The console is in English and Chinese, and changes its language without a reload.',
        'src/frame/app.test.tsx',
        'a change of language translates the open page'
      ),
      tested(
        'The chosen language is kept in a cookie.',
        'src/text/language.test.tsx',
        'the choice is kept in a cookie for 30 days and set on the document'
      ),
      checked('The language cookie lives for 30 days.', () => assert.equal(LANGUAGE_COOKIE_DAYS, 30))
    ),
    part(
      'Deployment',
      tested(
        'The console calls its hub directly, or through a relay with the serial number of the hub.',
        'src/link/relay.test.ts',
        'calls go to the hub directly, or through the relay with its serial number'
      ),
      tested(
        'Behind the relay the menu has fewer entries.',
        'src/frame/menu.test.tsx',
        'cloud entries are visible only on the cloud variant, and excluded entries never'
      ),
      planned('A hub registers itself in a cloud.', HUB_UPGRADE)
    ),
    part(
      'Families of devices',
      valueRows((name, value) => `The family ${name} has the number ${value}.`, { ...products }, FAMILIES),
      checked('There are thirteen families with these names.', () =>
        assert.deepEqual(PRODUCT_FAMILIES.map((family) => family.name).sort(), NAMES.toSorted())
      ),
      productRows,
      checked('The product id is in characters 2 to 4 of a serial number, in hexadecimal.', () =>
        assert.equal(productIdOf('B313210000001'), 787)
      )
    ),
    part(
      'Rules of families',
      recording('A device of the family Ultra Stream', 769, products.ULTRA_STREAM, true),
      recording('A Director', 1297, products.DIRECTOR, true),
      [787, 789, 790].map((id) => recording(`Ultra Encode ${id}`, id, products.ULTRA_ENCODE, true)),
      [772, 773, 785, 786].map((id) => recording(`Ultra Encode ${id}`, id, products.ULTRA_ENCODE, false)),
      recording('A decoder', 1040, products.PRO_CONVERT_DECODER, false),
      checked("A third-party device that is not the vendor's own cannot be controlled.", () => {
        assert.equal(isInteractive({ module: products.THIRD_PARTY }), false)
        assert.equal(isInteractive({ module: products.THIRD_PARTY, 'api-class': 'other' }), false)
        assert.ok(isInteractive({ module: products.THIRD_PARTY, 'api-class': products.VENDOR_API_CLASS }))
      }),
      tested(
        'The hub refuses every call for such a device.',
        'hub/handlers/device/api-class.test.ts',
        'a third-party device without the marker is refused every call, even if it has an API and is online'
      ),
      tested(
        'A third-party device with the marker of the vendor is controlled like the others.',
        'hub/handlers/device/api-class.test.ts',
        'a third-party device with the marker of the vendor is renamed, rebooted, configured, forwarded and opened'
      ),
      checked('A device of the family Others has no page.', () =>
        assert.equal(hasDetailView({ module: products.OTHERS }), false)
      ),
      checked('A third-party serial number of more than 9 characters is shown without its first 9.', () => {
        assert.equal(displaySerial('ABCDEFGHI12345', products.THIRD_PARTY), '12345')
        assert.equal(displaySerial('ABCDEFGHI', products.THIRD_PARTY), 'ABCDEFGHI')
        assert.equal(displaySerial('ABCDEFGHI12345', products.DIRECTOR), 'ABCDEFGHI12345')
      }),
      checked('Ultra Stream has no connection configuration.', () => {
        assert.equal(hasConnectionConfig({ module: products.ULTRA_STREAM }), false)
        assert.equal(hasConnectionConfig({ module: products.DIRECTOR }), true)
      })
    )
  ]
}
