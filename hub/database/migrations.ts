// The database schema, one step per version. A step that has shipped is never edited; a later step changes the schema.
// IDs of devices, inputs and outputs come from `node`, one number space, because each of them can be the input or
// output of a channel.

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE user_group (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    description TEXT NOT NULL DEFAULT '',
    permission INTEGER NOT NULL,
    type INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    group_id INTEGER NOT NULL REFERENCES user_group (id),
    password TEXT NOT NULL,
    is_default_password INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE session (
    hash TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_user ON session (user_id);

  CREATE TABLE node (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
  INSERT INTO sqlite_sequence (name, seq) VALUES ('node', 1000);

  CREATE TABLE device (
    id INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    sn TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    module INTEGER NOT NULL,
    module_name TEXT NOT NULL,
    product_id INTEGER NOT NULL,
    hardware_ver TEXT NOT NULL,
    firmware_ver TEXT NOT NULL,
    dir INTEGER NOT NULL,
    api TEXT NOT NULL,
    preview INTEGER NOT NULL,
    key_hash TEXT NOT NULL,
    reg_state INTEGER NOT NULL,
    apply_date INTEGER NOT NULL,
    offline_date INTEGER NOT NULL DEFAULT 0,
    connect_ip TEXT NOT NULL DEFAULT '',
    catalog_id INTEGER NOT NULL DEFAULT 0,
    is_favorite INTEGER NOT NULL DEFAULT 0,
    is_inherit INTEGER NOT NULL DEFAULT 1,
    group_mask INTEGER NOT NULL DEFAULT 4294967295,
    usr_mask INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX device_state ON device (reg_state);

  CREATE TABLE input (
    id INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    protocol INTEGER NOT NULL,
    url TEXT NOT NULL
  ) STRICT;

  CREATE TABLE output (
    id INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    protocol INTEGER NOT NULL,
    config TEXT NOT NULL
  ) STRICT;

  CREATE TABLE channel (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    enable INTEGER NOT NULL DEFAULT 0,
    play_key TEXT NOT NULL UNIQUE,
    push_key TEXT NOT NULL UNIQUE,
    input_id INTEGER REFERENCES node (id) ON DELETE SET NULL
  ) STRICT;
  INSERT INTO sqlite_sequence (name, seq) VALUES ('channel', 100000);

  CREATE TABLE channel_output (
    output_id INTEGER PRIMARY KEY REFERENCES output (id) ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX channel_output_channel ON channel_output (channel_id);

  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE operation_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL,
    user TEXT NOT NULL,
    ip TEXT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL,
    code INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE event_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL,
    level INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL,
    sn TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX event_log_kind ON event_log (kind, id);
  `,
  // Display names, session IDs that are not secret, access tokens, and searchable logs.
  `
  ALTER TABLE user ADD COLUMN nick TEXT NOT NULL DEFAULT '';
  ALTER TABLE user ADD COLUMN last_login INTEGER NOT NULL DEFAULT 0;

  DROP TABLE session;
  CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    agent TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_user ON session (user_id);

  CREATE TABLE token (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    begin TEXT NOT NULL,
    name TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0,
    used_address TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX token_user ON token (user_id);

  -- Objects of the call, for instance ' channel:100001 device:B313… '.
  ALTER TABLE operation_log ADD COLUMN objects TEXT NOT NULL DEFAULT '';
  CREATE INDEX operation_log_time ON operation_log (time);
  CREATE INDEX event_log_time ON event_log (kind, time);
  `,
  // Device groups. Their IDs start at the same number as in the vendor's software, so they are never mistaken for
  // device IDs.
  `
  CREATE TABLE catalog (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    parent_id INTEGER NOT NULL,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    created INTEGER NOT NULL,
    is_inherit INTEGER NOT NULL DEFAULT 1,
    group_mask INTEGER NOT NULL DEFAULT 4294967295,
    usr_mask INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO sqlite_sequence (name, seq) VALUES ('catalog', 30000);
  CREATE INDEX device_catalog ON device (catalog_id);
  `,
  // Firmware files and rollouts. A rollout stores the data of its file that is shown, because it may outlive the file.
  `
  CREATE TABLE firmware (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    product_id INTEGER NOT NULL,
    product_name TEXT NOT NULL,
    model TEXT NOT NULL,
    hardware_ver TEXT NOT NULL,
    major INTEGER NOT NULL,
    minor INTEGER NOT NULL,
    build INTEGER NOT NULL,
    build_time INTEGER NOT NULL,
    test INTEGER NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    added INTEGER NOT NULL,
    UNIQUE (model, hardware_ver, major, minor, build)
  ) STRICT;

  CREATE TABLE rollout (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    firmware_id INTEGER NOT NULL,
    product_name TEXT NOT NULL,
    hardware_ver TEXT NOT NULL,
    version TEXT NOT NULL,
    test INTEGER NOT NULL,
    state TEXT NOT NULL,
    user TEXT NOT NULL,
    first INTEGER NOT NULL,
    wave INTEGER NOT NULL,
    stop_after INTEGER NOT NULL,
    forgiven INTEGER NOT NULL DEFAULT 0,
    waves INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE rollout_device (
    rollout_id INTEGER NOT NULL REFERENCES rollout (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    sn TEXT NOT NULL,
    state INTEGER NOT NULL,
    reason INTEGER NOT NULL DEFAULT 0,
    from_ver TEXT NOT NULL,
    wave INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    started INTEGER NOT NULL DEFAULT 0,
    ended INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (rollout_id, sn)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rollout_device_state ON rollout_device (state);
  CREATE INDEX rollout_device_sn ON rollout_device (sn);
  `,
  // Stream configurations of devices as JSON, and addresses of devices with encrypted logins.
  `
  CREATE TABLE device_config (
    device_id INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
    config TEXT NOT NULL
  ) STRICT;

  CREATE TABLE device_address (
    device_id INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    port INTEGER NOT NULL,
    https INTEGER NOT NULL,
    secret TEXT NOT NULL,
    cert TEXT NOT NULL DEFAULT ''
  ) STRICT;
  `,
  // Failover rule, slate and schedule of a channel. JSON; empty is the default.
  `
  ALTER TABLE channel ADD COLUMN switch TEXT NOT NULL DEFAULT '';
  ALTER TABLE channel ADD COLUMN slate INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE channel ADD COLUMN schedule TEXT NOT NULL DEFAULT '';

  CREATE TABLE channel_backup (
    channel_id INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    PRIMARY KEY (channel_id, place),
    UNIQUE (channel_id, node_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX channel_backup_node ON channel_backup (node_id);
  `,
  // Access to a channel at the shared ports. JSON; empty is the default.
  `
  ALTER TABLE channel ADD COLUMN reach TEXT NOT NULL DEFAULT '';
  `,
  // A switch for each output of a channel.
  `
  ALTER TABLE channel_output ADD COLUMN enable INTEGER NOT NULL DEFAULT 1;
  `,
  // The NDI output of a channel itself. JSON; empty is none.
  `
  ALTER TABLE channel ADD COLUMN ndi TEXT NOT NULL DEFAULT '';
  `,
  // Devices as outputs of channels. A device plays one channel at most.
  `
  CREATE TABLE channel_device (
    device_id INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
    enable INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE INDEX channel_device_channel ON channel_device (channel_id);
  `,
  // Scopes of tokens. Existing tokens get all scopes, so they only lose the calls of the Admin group.
  `
  ALTER TABLE token ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read channels devices settings metrics';
  `,
  // The hash chain of the operation log. Lines from before have no hash, nor have those of clients that are not signed
  // in.
  `
  ALTER TABLE operation_log ADD COLUMN hash TEXT NOT NULL DEFAULT '';
  CREATE TABLE operation_log_head (one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL) STRICT;
  `,
  // When a session last proved the password.
  `
  ALTER TABLE session ADD COLUMN authenticated INTEGER NOT NULL DEFAULT 0;
  UPDATE session SET authenticated = created;
  `,
  // Ages of log lines on a clock of the log itself. Existing lines age from now on. The retention has a new minimum.
  `
  CREATE TABLE log_day (
    time INTEGER PRIMARY KEY,
    wall INTEGER NOT NULL,
    operation_id INTEGER NOT NULL,
    event_id INTEGER NOT NULL
  ) STRICT;
  UPDATE setting SET value = json_set(value, '$."max-days"', 90)
  WHERE name = 'log' AND json_extract(value, '$."max-days"') < 90;
  `,
  // Second factors of users, and groups that demand one.
  `
  ALTER TABLE user ADD COLUMN second_factor TEXT NOT NULL DEFAULT '';
  ALTER TABLE user ADD COLUMN second_factor_since INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE user ADD COLUMN second_factor_step INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE user_group ADD COLUMN require_second_factor INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE recovery_code (
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (user_id, hash)
  ) STRICT, WITHOUT ROWID;
  `,
  // The program to receive from an input with several. Empty is all.
  `
  ALTER TABLE input ADD COLUMN program INTEGER;
  `,
  // Sessions of wall displays, which have a name, and their one-time codes.
  `
  ALTER TABLE session ADD COLUMN display TEXT NOT NULL DEFAULT '';
  CREATE TABLE display_code (
    hash TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // What an operator has put on air at a channel. JSON; empty: the failover rule chooses.
  `
  ALTER TABLE channel ADD COLUMN hold TEXT NOT NULL DEFAULT '';
  `,
  // Visibility of channels that do not inherit it. Existing channels inherit. Lines of the event log name their
  // channel; in lines of earlier versions it is unknown (-1).
  `
  CREATE TABLE channel_visibility (
    channel_id INTEGER PRIMARY KEY,
    is_inherit INTEGER NOT NULL,
    group_mask INTEGER NOT NULL DEFAULT 4294967295,
    usr_mask INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  ALTER TABLE event_log ADD COLUMN channel INTEGER NOT NULL DEFAULT 0;
  UPDATE event_log SET channel = -1 WHERE event IN ('channel-started', 'channel-stopped', 'channel-switched', 'schedule-start',
    'schedule-stop', 'schedule-refused', 'input-up', 'input-down', 'output-up', 'output-down', 'caller-refused');
  `,
  // Problems: since when each lasts, and its acknowledgement.
  `
  CREATE TABLE problem (
    id TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    ack_by TEXT NOT NULL DEFAULT '',
    ack_at INTEGER NOT NULL DEFAULT 0,
    ack_note TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  `,
  // Numbers above which a channel is degraded. JSON; empty: the defaults.
  `
  ALTER TABLE channel ADD COLUMN health TEXT NOT NULL DEFAULT '';
  `,
  // Class that a device reports: the vendor's own devices have a marker in it. A device of earlier versions reports it
  // when it connects again.
  `
  ALTER TABLE device ADD COLUMN api_class TEXT NOT NULL DEFAULT '';
  `,
  // Password rules with numbers of characters, under the name that they have in the settings.
  `
  UPDATE setting SET name = 'pwd-rule', value = json_object(
    'length', json_extract(value, '$."min-length"'),
    'lowercase', json_extract(value, '$.lower'),
    'uppercase', json_extract(value, '$.upper'),
    'number', json_extract(value, '$.digit'),
    'special', json_extract(value, '$.special'),
    'chk-name', json_extract(value, '$."not-user-name"'))
  WHERE name = 'password-rules';
  `,
  // Matrices of the NDI router. `panel`, `undo` and `takes` are JSON.
  `
  CREATE TABLE ndi_matrix (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    machine TEXT NOT NULL,
    panel TEXT NOT NULL,
    undo TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ndi_matrix_source (
    matrix_id INTEGER NOT NULL REFERENCES ndi_matrix (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (matrix_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ndi_matrix_destination (
    matrix_id INTEGER NOT NULL REFERENCES ndi_matrix (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    source INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    taken_by TEXT NOT NULL,
    locked_by TEXT NOT NULL,
    PRIMARY KEY (matrix_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ndi_salvo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    matrix_id INTEGER NOT NULL REFERENCES ndi_matrix (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    takes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE ndi_scheduled_take (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    matrix_id INTEGER NOT NULL REFERENCES ndi_matrix (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    by_user TEXT NOT NULL,
    takes TEXT NOT NULL
  ) STRICT;
  `,
  // Who sees an input or output that no channel uses: the channel that used it last, or the user who created it. Only
  // users who see every channel see what was deleted earlier (-1): its channel is not known.
  `
  CREATE TABLE source_access (
    source_id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL DEFAULT 0,
    usr_mask INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO source_access (source_id, channel_id)
    WITH RECURSIVE ids (id) AS (
      SELECT 1001 UNION ALL SELECT id + 1 FROM ids WHERE id < (SELECT seq FROM sqlite_sequence WHERE name = 'node'))
    SELECT id, -1 FROM ids WHERE id NOT IN (SELECT id FROM node)
      AND id <= (SELECT seq FROM sqlite_sequence WHERE name = 'node');

  CREATE TRIGGER source_access_output AFTER DELETE ON channel_output BEGIN
    INSERT INTO source_access (source_id, channel_id) VALUES (OLD.output_id, OLD.channel_id)
      ON CONFLICT (source_id) DO UPDATE SET channel_id = excluded.channel_id;
  END;
  CREATE TRIGGER source_access_backup AFTER DELETE ON channel_backup BEGIN
    INSERT INTO source_access (source_id, channel_id) VALUES (OLD.node_id, OLD.channel_id)
      ON CONFLICT (source_id) DO UPDATE SET channel_id = excluded.channel_id;
  END;
  CREATE TRIGGER source_access_input AFTER UPDATE OF input_id ON channel
    WHEN OLD.input_id IS NOT NULL AND NEW.input_id IS NOT OLD.input_id BEGIN
    INSERT INTO source_access (source_id, channel_id) VALUES (OLD.input_id, OLD.id)
      ON CONFLICT (source_id) DO UPDATE SET channel_id = excluded.channel_id;
  END;
  CREATE TRIGGER source_access_channel AFTER DELETE ON channel WHEN OLD.input_id IS NOT NULL BEGIN
    INSERT INTO source_access (source_id, channel_id) VALUES (OLD.input_id, OLD.id)
      ON CONFLICT (source_id) DO UPDATE SET channel_id = excluded.channel_id;
  END;
  `,
  // How inputs and outputs check the certificates of TLS servers. Those that exist accepted any certificate, and keep
  // doing so: what is on air must not stop with an update.
  `
  ALTER TABLE input ADD COLUMN certificates TEXT NOT NULL DEFAULT '';
  UPDATE input SET certificates = json_object('certificate-check', 'accept-any')
    WHERE url LIKE 'https:%' OR url LIKE 'http:%' OR url LIKE 'rtmps:%';
  UPDATE output SET config = json_set(config, '$."certificate-check"', 'accept-any')
    WHERE json_extract(config, '$.url') LIKE 'rtmps:%';
  `,
  // Lines about cleared logs stay when the operation log is cleared. They keep the hash of the line before them.
  `
  ALTER TABLE operation_log ADD COLUMN previous TEXT NOT NULL DEFAULT '';
  `,
  // What happened to channels (channel 0: to the hub), and since when verdicts hold.
  `
  CREATE TABLE timeline (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id INTEGER NOT NULL,
    -- Milliseconds since the epoch: the first and the last time, which differ for repeated entries and gaps.
    time INTEGER NOT NULL,
    last INTEGER NOT NULL,
    count INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL,
    -- Entries with the same key repeat each other.
    key TEXT NOT NULL,
    facts TEXT NOT NULL
  ) STRICT;
  CREATE INDEX timeline_last ON timeline (channel_id, last);
  CREATE INDEX timeline_key ON timeline (channel_id, key, id);
  CREATE INDEX timeline_kind ON timeline (channel_id, kind, time);
  CREATE TABLE timeline_removed (channel_id INTEGER PRIMARY KEY, before INTEGER NOT NULL) STRICT;
  -- When the hub ran last, in milliseconds since the epoch.
  CREATE TABLE hub_alive (one INTEGER PRIMARY KEY CHECK (one = 1), time INTEGER NOT NULL) STRICT;
  CREATE TABLE verdict (
    object TEXT PRIMARY KEY,
    verdict TEXT NOT NULL,
    -- Milliseconds since the epoch; 0: unknown.
    since INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER timeline_channel AFTER DELETE ON channel BEGIN
    DELETE FROM timeline WHERE channel_id = OLD.id;
    DELETE FROM timeline_removed WHERE channel_id = OLD.id;
    DELETE FROM verdict WHERE object = 'channel-' || OLD.id
      OR object GLOB 'input-' || OLD.id || '-*' OR object GLOB 'output-' || OLD.id || '-*';
  END;
  CREATE TRIGGER verdict_device AFTER DELETE ON device BEGIN
    DELETE FROM verdict WHERE object = 'device-' || OLD.sn;
  END;
  ALTER TABLE log_day ADD COLUMN timeline_id INTEGER NOT NULL DEFAULT 0;
  `,
  // With which access token a program of the user made the change; empty for sessions, and for lines from before.
  `
  ALTER TABLE operation_log ADD COLUMN token TEXT NOT NULL DEFAULT '';
  `,
  // The trash. The timeline of a deleted channel stays as long as the channel is in it.
  `
  CREATE TABLE trash (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    object_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    time INTEGER NOT NULL,
    by_user TEXT NOT NULL,
    -- Time of the deletion on the clock of the logs.
    age INTEGER NOT NULL,
    -- JSON: the rows of the object, and of what it belonged to.
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX trash_object ON trash (kind, object_id);
  DROP TRIGGER timeline_channel;
  CREATE TRIGGER verdict_channel AFTER DELETE ON channel BEGIN
    DELETE FROM verdict WHERE object = 'channel-' || OLD.id
      OR object GLOB 'input-' || OLD.id || '-*' OR object GLOB 'output-' || OLD.id || '-*';
  END;
  CREATE TRIGGER timeline_channel AFTER DELETE ON channel
    WHEN NOT EXISTS (SELECT 1 FROM trash WHERE kind = 'channel' AND object_id = OLD.id) BEGIN
    DELETE FROM timeline WHERE channel_id = OLD.id;
    DELETE FROM timeline_removed WHERE channel_id = OLD.id;
  END;
  CREATE TRIGGER timeline_trash AFTER DELETE ON trash
    WHEN OLD.kind = 'channel' AND NOT EXISTS (SELECT 1 FROM channel WHERE id = OLD.object_id) BEGIN
    DELETE FROM timeline WHERE channel_id = OLD.object_id;
    DELETE FROM timeline_removed WHERE channel_id = OLD.object_id;
  END;
  `,
  // Tags of channels, of inputs and outputs, and of devices.
  `
  CREATE TABLE tag (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    color TEXT NOT NULL
  ) STRICT;
  CREATE TABLE tag_channel (
    tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
    PRIMARY KEY (tag_id, channel_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tag_of_channel ON tag_channel (channel_id);
  CREATE TABLE tag_source (
    tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
    source_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
    PRIMARY KEY (tag_id, source_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tag_of_source ON tag_source (source_id);
  CREATE TABLE tag_device (
    tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
    device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
    PRIMARY KEY (tag_id, device_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tag_of_device ON tag_device (device_id);
  `,
  // Users and user groups who see the channels and devices with a tag.
  `
  ALTER TABLE tag ADD COLUMN group_mask INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tag ADD COLUMN usr_mask INTEGER NOT NULL DEFAULT 0;
  `,
  // With which access token a program of the user scheduled a take; empty for sessions.
  `
  ALTER TABLE ndi_scheduled_take ADD COLUMN token TEXT NOT NULL DEFAULT '';
  `,
  // The end of an account in milliseconds since the epoch, -1 = none; and guests, who see only what names them.
  `
  ALTER TABLE user ADD COLUMN expires INTEGER NOT NULL DEFAULT -1;
  ALTER TABLE user ADD COLUMN guest INTEGER NOT NULL DEFAULT 0;
  `,
  // Saved views of lists, of each user.
  `
  CREATE TABLE saved_view (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    list TEXT NOT NULL,
    name TEXT NOT NULL COLLATE NOCASE,
    query TEXT NOT NULL,
    UNIQUE (user_id, name)
  ) STRICT;
  `,
  // Streams of devices at addresses: the NDI source of an encoder, and what a device did before the hub ordered it to
  // send or to play a stream (JSON; empty: no order).
  `
  CREATE TABLE device_stream (
    device_id INTEGER PRIMARY KEY REFERENCES device (id) ON DELETE CASCADE,
    ndi_source TEXT NOT NULL DEFAULT '',
    push_before TEXT NOT NULL DEFAULT '',
    play_before TEXT NOT NULL DEFAULT ''
  ) STRICT;
  `,
  // The name of a device that has to get that of its place when it comes online; empty: it has it.
  `
  ALTER TABLE device ADD COLUMN previous_name TEXT NOT NULL DEFAULT '';
  -- Versions that a device does not report are not shown.
  UPDATE device SET hardware_ver = '' WHERE hardware_ver = '?';
  UPDATE device SET firmware_ver = '' WHERE firmware_ver = '?';
  `,
  // The port at which a server that does not tell it plays its streams over RTMP.
  `
  ALTER TABLE device_address ADD COLUMN rtmp_port INTEGER NOT NULL DEFAULT 1935;
  `,
  // Recordings of channels. The id is the time of the start, in milliseconds since the epoch; one without an end goes
  // on.
  `
  CREATE TABLE recording (
    id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    started_by TEXT NOT NULL,
    ended INTEGER
  ) STRICT;
  `,
  // Notifications: destinations, whose secrets are encrypted, rules, alarms, the queue and log of messages, and what is
  // in maintenance.
  `
  CREATE TABLE alert_destination (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    type TEXT NOT NULL,
    enable INTEGER NOT NULL,
    language TEXT NOT NULL,
    -- JSON.
    config TEXT NOT NULL,
    -- Encrypted JSON.
    secret TEXT NOT NULL
  ) STRICT;
  CREATE TABLE alert_rule (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    -- JSON.
    options TEXT NOT NULL
  ) STRICT;
  CREATE TABLE alert_alarm (
    id TEXT PRIMARY KEY,
    rule_id INTEGER NOT NULL REFERENCES alert_rule (id) ON DELETE CASCADE,
    -- JSON.
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE alert_delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    destination_id INTEGER NOT NULL,
    destination TEXT NOT NULL,
    rule TEXT NOT NULL,
    -- JSON.
    message TEXT NOT NULL,
    created INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- When the last attempt ended; 0: none was made.
    time INTEGER NOT NULL DEFAULT 0,
    -- When the next attempt is due.
    next INTEGER NOT NULL,
    -- JSON: a text, or one for each language.
    answer TEXT NOT NULL DEFAULT '""'
  ) STRICT;
  CREATE INDEX alert_delivery_waiting ON alert_delivery (destination_id, id) WHERE state = 'waiting';
  CREATE INDEX alert_delivery_destination ON alert_delivery (destination_id, id);
  CREATE TABLE alert_maintenance (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- channel, device, or tag.
    kind TEXT NOT NULL,
    -- ID, or serial number of a device.
    object TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    note TEXT NOT NULL,
    by_user TEXT NOT NULL,
    UNIQUE (kind, object)
  ) STRICT;
  CREATE TRIGGER alert_maintenance_channel AFTER DELETE ON channel BEGIN
    DELETE FROM alert_maintenance WHERE kind = 'channel' AND object = OLD.id;
  END;
  CREATE TRIGGER alert_maintenance_device AFTER DELETE ON device BEGIN
    DELETE FROM alert_maintenance WHERE kind = 'device' AND object = OLD.sn;
  END;
  CREATE TRIGGER alert_maintenance_tag AFTER DELETE ON tag BEGIN
    DELETE FROM alert_maintenance WHERE kind = 'tag' AND object = OLD.id;
  END;
  `,
  // Why a channel is recorded (RecordingKind in hub/store/recordings.ts).
  `
  ALTER TABLE recording ADD COLUMN kind TEXT NOT NULL DEFAULT 'manual';
  `,
  // Browsers that get notifications. The database removes them with their user.
  `
  CREATE TABLE push_browser (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    -- The User-Agent header.
    agent TEXT NOT NULL,
    -- SHA-256 of the address at the push service, by which a browser that subscribes again is recognized.
    endpoint_hash TEXT NOT NULL UNIQUE,
    -- Encrypted JSON: address and keys.
    secret TEXT NOT NULL,
    created INTEGER NOT NULL
  ) STRICT;
  `,
  // Links to recordings, which everybody may download who has one. The token is stored as a hash.
  `
  CREATE TABLE recording_share (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recording_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    from_time INTEGER NOT NULL,
    to_time INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    created_by TEXT NOT NULL
  ) STRICT;
  `
]
