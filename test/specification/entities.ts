// Section 3: the objects that the hub manages, and their fields in its responses.
import assert from 'node:assert/strict'
import { FEATURE_BITS } from '../../contract/access/features.ts'
import * as permissions from '../../contract/access/permissions.ts'
import { ADMIN_USER_ID } from '../../contract/access/user.ts'
import { API_DEFINITIONS } from '../../contract/device/api-definitions.ts'
import { PRODUCT_FAMILIES } from '../../contract/device/products.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { TOKEN_LENGTH } from '../../contract/limits.ts'
import { LOG_ERROR, LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import { formatNdiUrl } from '../../contract/stream/ndi-url.ts'
import * as protocols from '../../contract/stream/protocols.ts'
import { objectOf, tableHub } from './objects.ts'
import { HUB_UPGRADE } from './roadmap.ts'
import { checked, fieldRows, part, planned, type Section, tested, valueRows } from './rows.ts'

const RULE = ['hub/handlers/machine/firewall.test.ts', 'a rule has ports, protocol, remark and switch'] as const

import { SOURCE_FIELD_ROWS } from './source-fields.ts'

const DIRECTIONS = { DIR_NONE: 0, DIR_INPUT: 256, DIR_OUTPUT: 512, DIR_BOTH: 768 }
const TYPES = {
  INPUT_DEVICE: 257,
  INPUT_CUSTOM: 258,
  INPUT_PUBLISHER: 260,
  NDI_DISCOVERED: 323,
  OUTPUT_DEVICE: 513,
  OUTPUT_CUSTOM: 514,
  OUTPUT_PLAYER: 516,
  INPUT_OUTPUT_DEVICE: 769
}
const PROTOCOLS = { PROTOCOL_DEFAULT: 0, RTMP: 1, SRT: 2, UDP: 4, RTP: 8, RTSP: 16, HTTP: 32, NDI: 64 }

const SOURCES_TEST = 'src/screens/source/outputs.test.tsx'

export const ENTITIES: Section = {
  number: 3,
  title: 'Objects and their fields',
  file: 'entities.ts',
  parts: [
    part(
      'Users and user groups',
      fieldRows('A user', objectOf('user'), {
        id: 'an id',
        name: 'a user name',
        nick: 'a shown name',
        'group-id': 'a group',
        'group-name': 'the name of the group',
        permission: 'a mask of permissions'
      }),
      fieldRows('The response to a sign-in', objectOf('login'), {
        'user.name': 'the user name',
        'user.type': 'the type of the group',
        'user.permission': 'the mask of permissions',
        'user.id': 'the id of the user'
      }),
      tested(
        'The console keeps the signed-in user in cookies with a check value.',
        'src/state/login-cache.test.ts',
        'editing any value invalidates the cache'
      ),
      checked('The name of the administrator is Admin.', () => {
        const { hub } = tableHub()
        assert.equal(hub.context.store.users.byName('Admin')?.id, ADMIN_USER_ID)
      }),
      fieldRows('A user group', objectOf('userGroup'), {
        name: 'a name',
        desc: 'a description',
        users: 'its users',
        permission: 'a mask of permissions',
        type: 'a type'
      }),
      valueRows(
        (name, value) => `The group type ${name} is ${value}.`,
        { ...permissions },
        {
          GROUP_ADMIN: 1,
          GROUP_USER: 2,
          GROUP_VIEWER: 4,
          GROUP_CUSTOM: 8
        }
      ),
      tested(
        'Only custom groups are deleted.',
        'hub/handlers/user/user-group.test.ts',
        'the built-in groups keep their names and permissions, and cannot be deleted'
      )
    ),
    part(
      'Device groups',
      fieldRows('A device group', objectOf('catalog'), {
        id: 'an id',
        name: 'a name',
        'parent-id': 'a parent',
        isRoot: 'a mark that it is at the top',
        isOpen: 'a mark that a tree opens it',
        path: 'a path of names',
        childs: 'groups below',
        'is-everyone': 'a mark that every user sees it',
        users: 'the users who see it',
        'is-inherit': 'a mark that it inherits its visibility',
        'usr-mask': 'a mask of users'
      }),
      tested(
        'A device group inherits from its parent, else from the global default.',
        'hub/handlers/catalog/catalog.test.ts',
        'a device that inherits is visible to callers who may see its group, the parent groups, or by the global default'
      )
    ),
    part(
      'Devices',
      fieldRows('A device', objectOf('device'), {
        name: 'a name',
        sn: 'a serial number',
        module: 'a family',
        'module-name': 'the name of its model',
        'catalog-id': 'a group',
        'connect-ip': 'the address from which it connects',
        'firmware-ver': 'a firmware version',
        'hardware-ver': 'a hardware version',
        'reg-state': 'a registration state',
        'apply-date': 'the time of its registration',
        'online-date': 'the time since when it is online',
        'start-date': 'a start time, from which the up time follows',
        'dev-warns': 'warnings',
        'is-favorite': 'a mark of the caller',
        'status.eth': 'an address on Ethernet',
        'pro-feature.input': 'an input signal'
      }),
      tested(
        'The stream of a device comes over SRT or RTMP, as its connection configuration says.',
        'hub/handlers/device/rtmp-push.test.ts',
        'the device sends its clip over RTMP as configured, changes to SRT while it runs, and stops with its channel'
      ),
      tested(
        'Addresses, ports, recording, streaming, storage and up time are shown as reported.',
        'src/screens/device-detail/detail.test.tsx',
        'all reported values of a device are shown, with units'
      )
    ),
    part(
      'Product catalogue',
      ['order', 'pic', 'hasRack'].map((field) =>
        checked(`Each family has the field \`${field}\`.`, () => {
          for (const family of PRODUCT_FAMILIES) assert.ok(field in family, family.name)
        })
      ),
      ['prefix', 'codeField', 'requests'].map((field) =>
        checked(`Each API of devices has the field \`${field}\`.`, () => {
          for (const definition of Object.values(API_DEFINITIONS)) assert.ok(field in definition)
        })
      ),
      checked('Each request of an API has a type, and a URL or a method.', () => {
        const requests = Object.values(API_DEFINITIONS).flatMap((definition) => Object.values(definition.requests))
        for (const { type, url, method } of requests) assert.ok(type && (url || method))
      }),
      checked('The name of a device is a parameter of its request.', () => {
        for (const { requests } of Object.values(API_DEFINITIONS))
          assert.ok(Object.values(requests.rename.params ?? {}).includes('{name}'))
      }),
      tested(
        'A further family is one more row.',
        'hub/devices/adapters/product-catalogue.test.ts',
        'a device of a family that is not in the catalogue is refused, and with its row it is driven by the API that it names'
      ),
      tested(
        'The console shows the picture of the family and marks rack units.',
        'src/screens/device/list.test.tsx',
        'a model has the picture of its family, and rack units are marked'
      )
    ),
    part(
      'Inputs and outputs',
      valueRows((name, value) => `The direction ${name} is ${value}.`, { ...protocols }, DIRECTIONS),
      valueRows((name, value) => `The type ${name} is ${value}.`, { ...protocols }, TYPES),
      valueRows((name, value) => `The protocol ${name} is ${value}.`, { ...protocols }, PROTOCOLS),
      checked('Protocol 32 is HLS for an output.', () => assert.equal(protocols.OUTPUT_PROTOCOL_NAMES[32], 'HLS')),
      SOURCE_FIELD_ROWS,
      fieldRows('An input', objectOf('input'), {
        id: 'an id',
        name: 'a name',
        dir: 'a direction',
        type: 'a type',
        protocol: 'a protocol',
        'config.url': 'a URL'
      }),
      fieldRows('An output', objectOf('output'), {
        id: 'an id',
        name: 'a name',
        dir: 'a direction',
        type: 'a type',
        protocol: 'a protocol',
        addr: 'an address',
        config: 'the settings of its protocol'
      }),
      tested(
        'An output is an RTMP target, an SRT caller or listener, UDP, RTP, RTSP or HLS, each with its fields.',
        SOURCES_TEST,
        'each kind of output has its fields with default values'
      ),
      tested(
        'An input is RTMP, SRT, UDP, RTP, RTSP, HTTP or NDI, each with its fields.',
        'src/screens/source/inputs.test.tsx',
        'each kind of input has its fields, and its URL is the one that the hub stores'
      ),
      tested(
        'An SRT output has a passphrase and a choice of encryption.',
        'src/screens/channel/output-dialog.test.tsx',
        'an SRT listener is added, with encryption'
      ),
      tested(
        'An SRT input chooses between disabled and three key lengths, and keeps no passphrase without encryption.',
        'src/screens/source/inputs.test.tsx',
        'an input that is no longer encrypted keeps no passphrase'
      ),
      tested(
        'An RTSP output has a main stream and a sub stream, with a key each.',
        SOURCES_TEST,
        'an RTSP output has a main and a sub stream with a key each, which no other stream has'
      ),
      tested(
        'The sub stream is smaller than the main stream, and plays at the same time.',
        'engine/rtsp/sub-stream.test.ts',
        'main and sub stream play at the same time under a key each, the sub stream smaller and at a lower rate'
      ),
      tested(
        'An input that the hub remuxes or encodes has a playback buffer, which is applied.',
        'engine/inputs/playback-buffer.test.ts',
        'an RTSP input is passed on with its playback buffer'
      ),
      tested(
        'An RTMP output has a user name and a password.',
        SOURCES_TEST,
        'an RTMP output has a login if a user name is entered'
      ),
      tested(
        'A device that can be both is an input and an output.',
        'hub/handlers/channel/device-output.test.ts',
        'a device that can be both is a node of type 769 in lists, as the input of one channel and as the output of another'
      ),
      tested(
        'A saved source with the same name can be replaced.',
        'src/screens/source/list.test.tsx',
        'a source with the same name can be replaced after a confirmation that names the channels'
      )
    ),
    part(
      'NDI',
      checked('An NDI source is stored with its name, address and buffer.', () =>
        assert.equal(
          formatNdiUrl({ name: 'HALL (Cam)', address: '192.0.2.1', buffer: 60 }),
          'ntkndi://ndi?name=HALL%20(Cam)&url=192.0.2.1&mw-buffer-duration=60'
        )
      ),
      tested(
        'The NDI output of a channel has a group, a transport, and multicast settings.',
        'hub/handlers/channel/ndi-output.test.ts',
        'a new channel has no NDI output of its own; once set, its settings are stored'
      ),
      tested(
        'NDI sources of the network are suggested.',
        'src/screens/source/inputs.test.tsx',
        'discovered NDI sources are suggested; without an NDI runtime the reason is shown'
      ),
      tested(
        'NDI sources have extended IP addresses, a discovery server, a group and a low bandwidth.',
        'engine/ndi/ndi-input.test.ts',
        'a preset is searched and received as its own fields say, over those of the settings'
      ),
      tested(
        'NDI sources are saved as presets.',
        'hub/handlers/ndi/preset.test.ts',
        'a preset keeps all of its fields, and is an input that has them in its URL'
      ),
      tested(
        'The transport of an NDI output is chosen by NDI, or UDP, multicast, reliable UDP, or one or several TCP connections.',
        'engine/ndi/transport.test.ts',
        'each transport mode is seen on the wire'
      ),
      tested(
        'The NDI router has a base machine name, a matrix size, sources and destinations.',
        'src/screens/ndi-router/router.test.tsx',
        'without a matrix the page explains the matrix and has a button that adds one'
      ),
      tested(
        'The matrix of the NDI router is edited on its own page.',
        'src/screens/ndi-router/dialogs.test.tsx',
        'editing a matrix moves, adds and removes sources; routes follow their sources'
      )
    ),
    part(
      'Channels',
      fieldRows('A channel', objectOf('channel'), {
        name: 'a name',
        input: 'one input',
        'outputs.list': 'a list of outputs',
        'config.enable': 'a switch',
        state: 'a state',
        kbps: 'a bit rate',
        'living-time-s': 'an up time',
        'conn-num': 'a number of connections',
        clients: 'the players that are connected'
      }),
      tested(
        'A channel counts the pages that watch it.',
        'hub/handlers/channel/watch.test.ts',
        'the stream begins with its initialization segment, and is counted while it is open'
      ),
      tested(
        'A channel can have an NDI output of its own.',
        'hub/handlers/channel/ndi-output.test.ts',
        'the NDI output runs beside the other outputs, and reports a missing NDI runtime'
      )
    ),
    part(
      'Licence',
      fieldRows('The licence', objectOf('license'), {
        'license-reg.status': 'a state',
        'cur-license.max-channel-count': 'a limit of channels',
        'cur-license.max-live-count': 'a limit of streaming channels',
        'cur-license.max-output-count': 'a limit of active outputs',
        'cur-license.max-srt-count': 'a limit of SRT servers',
        'cur-license.max-dev-count': 'a limit of registered devices',
        'cur-license.used': 'the use of each limit'
      }),
      checked('Without a licence its state is `none`.', () =>
        assert.equal(Reflect.get(Reflect.get(objectOf('license')(), 'license-reg'), 'status'), LICENSE_STATE.none)
      ),
      tested(
        'A licence in force has a serial number, a title, permissions and an end.',
        'hub/license/license.test.ts',
        'an activated licence is shown as it is, and its limits are in force'
      )
    ),
    part(
      'Access tokens',
      fieldRows('An access token', objectOf('token'), {
        owner: 'an owner',
        'expired-time': 'an end, or -1',
        begin: 'its first characters'
      }),
      checked('An access token has 64 characters.', () => assert.equal(TOKEN_LENGTH, 64))
    ),
    part(
      'Preview images',
      tested(
        'A preview image has an id, a content type, its bytes and a time.',
        'src/preview/previews.test.ts',
        'an image reaches all of its subscribers, with its type, bytes, URL and time'
      )
    ),
    part(
      'System, cloud and firmware',
      fieldRows('The status of the hub', objectOf('status'), {
        'system.info.expired-time': 'the session expiry in minutes',
        'system.info.feature-support': 'a mask of features',
        'system.status.status-code': 'a mask of states',
        'system.device.num-pending': 'the number of pending devices',
        'system.device.num-warn': 'the number of devices with warnings',
        'cur-license': 'the limits in force'
      }),
      checked('The NDI router is bit 1 of the features.', () => assert.equal(FEATURE_BITS.ndiRouter, 1)),
      tested(
        'The bit of the NDI router is set with a runtime that can route.',
        'hub/ndi/real-router.test.ts',
        'the hub reports the feature, and destinations have their announced names and connections'
      ),
      planned('The status of the hub has the hardware version.', HUB_UPGRADE),
      planned('A cloud has an address, an invitation code, SSL, and ports for HTTP and HTTPS.', HUB_UPGRADE),
      fieldRows('A firmware file', objectOf('firmware'), {
        'product-id': 'a product',
        'marjor-ver': 'a version',
        'hardware-ver': 'a hardware version',
        'upload-date': 'the time of its upload',
        'file-path': 'a file name',
        'file-size': 'a size'
      })
    ),
    part('Firewall', tested('A firewall rule has a port or a range, a protocol, a remark and a switch.', ...RULE)),
    part(
      'Logs',
      fieldRows('An entry of the operation log', objectOf('operation'), {
        time: 'a time',
        user: 'a user',
        ip: 'an address',
        text: 'details',
        code: 'a result'
      }),
      fieldRows('An entry of the system log', objectOf('systemEvent'), {
        time: 'a time',
        level: 'a level',
        text: 'details'
      }),
      checked('The levels are information, warning and error.', () =>
        assert.deepEqual([LOG_INFO, LOG_WARNING, LOG_ERROR], [1, 2, 3])
      )
    )
  ]
}
