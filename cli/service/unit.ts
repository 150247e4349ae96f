import { homedir } from 'node:os'
import { join } from 'node:path'

/** A service definition for this user's service manager. */
export interface ServiceUnit {
  kind: 'systemd' | 'launchd'
  path: string
  text: string
  /** Commands that put it into force, in order. */
  enable: string[][]
  disable: string[][]
}

/** What the service starts: all absolute, because a service manager has neither a shell nor a PATH of the person. */
export interface ServiceProgram {
  node: string
  script: string
  home: string
}

const UNIT = 'handoff-agentd.service'
const LABEL = 'dev.handoff.agentd'

/** The unit for a platform; undefined where neither systemd nor launchd is to be expected. */
export function serviceUnit(
  platform: NodeJS.Platform,
  program: ServiceProgram,
  { configHome = join(homedir(), '.config'), userHome = homedir(), uid = process.getuid?.() ?? 0 } = {},
): ServiceUnit | undefined {
  if (platform === 'darwin') {
    const path = join(userHome, 'Library/LaunchAgents', `${LABEL}.plist`)
    const domain = `gui/${uid}`
    return {
      kind: 'launchd',
      path,
      text: plistText(program),
      enable: [['launchctl', 'bootstrap', domain, path]],
      disable: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    }
  }
  if (platform !== 'linux') return undefined
  return {
    kind: 'systemd',
    path: join(configHome, 'systemd/user', UNIT),
    text: unitText(program),
    enable: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', UNIT],
    ],
    disable: [['systemctl', '--user', 'disable', '--now', UNIT]],
  }
}

function unitText({ node, script, home }: ServiceProgram): string {
  return `# Written by \`handoff agentd install-service\`; removed by \`handoff agentd uninstall-service\`.
[Unit]
Description=Handoff agentd
Documentation=man:systemd.service(5)
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
ExecStart=${systemdQuote(node)} --no-warnings=ExperimentalWarning ${systemdQuote(script)} run --home ${systemdQuote(home)}
Restart=on-failure
RestartSec=2
# Only agentd itself is stopped: the executors in tmux outlive a restart and an upgrade.
KillMode=process

[Install]
WantedBy=default.target
`
}

/** Quoted for a command line in a unit file: systemd.service(5), "Command lines"; `%` is a specifier, `$` a variable. */
function systemdQuote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/%/g, '%%').replace(/\$/g, '$$$$')}"`
}

function plistText({ node, script, home }: ServiceProgram): string {
  const argument = (text: string) => `    <string>${xml(text)}</string>`
  const log = join(home, 'logs', 'agentd.log')
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${[node, '--no-warnings=ExperimentalWarning', script, 'run', '--home', home].map(argument).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>${xml(log)}</string>
</dict>
</plist>
`
}

function xml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
