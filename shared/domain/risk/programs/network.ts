import { findOptions, type Args } from '../args.ts'
import { hasUnknown } from '../marks.ts'
import { type Word } from '../session.ts'
import { type Call, each, type ProgramSpec } from '../spec.ts'
import { checkRead, checkTreeRead, checkWrite, pathsOf, taint } from '../targets.ts'
import { isLocalUrl, judgeUrl } from '../urls.ts'

const CHANGE = { deletes: false, tree: false }
const BODY = ['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode', '--json', '-F', '--form', '--form-string', '--post-data', '--body-data'] // prettier-ignore
const SENDING = ['-T', '--upload-file', '--post-file', '--body-file']
const HEADERS = [
  '-H',
  '--header',
  '-u',
  '--user',
  '-b',
  '--cookie',
  '--oauth2-bearer',
  '--url-query',
  '-A',
  '-e',
  '--password',
  '--proxy-user',
]

function urlsOf(args: Args): Word[] {
  const named = findOptions(args, ['--url']).flatMap((option) => option.value ?? [])
  return [...args.operands, ...named]
}

/** Files that a body option would send: `@file`, `name@file`, `name=@file`, `name=<file`. */
function fileIn(value: string): string | undefined {
  return /^[^=@]*@(.+)$|=[@<](.+)$|^<(.+)$/
    .exec(value)
    ?.slice(1)
    .find((part) => part !== undefined)
}

function checkTransfer(call: Call, args: Args): void {
  const { session, state } = call
  session.downloads += 1
  const urls = urlsOf(args)
  const isLocal = urls.length > 0 && urls.every((word) => isLocalUrl(word.value))
  for (const word of urls) {
    if (isLocal) continue
    const reason = judgeUrl(word.value)
    if (reason) session.report(reason, word)
    if (/^file:/i.test(word.value))
      checkRead(session, state, { ...word, value: word.value.replace(/^file:(?:\/\/[^/]*)?/i, '') })
  }
  for (const option of findOptions(args, SENDING)) {
    if (!isLocal) session.report('data_send', option.value ?? option.word)
    if (option.value) checkRead(session, state, option.value)
  }
  for (const option of findOptions(args, BODY)) {
    const file = option.value ? fileIn(option.value.value) : undefined
    if (file !== undefined && option.value) checkRead(session, state, { ...option.value, value: file })
    if (!isLocal) session.report('data_send', option.value ?? option.word)
  }
  for (const option of findOptions(args, ['-b', '--cookie', '-E', '--cert', '--key', '--cacert']))
    if (option.value) checkRead(session, state, option.value)
  for (const option of findOptions(args, HEADERS)) {
    if (option.value && !isLocal && (hasUnknown(option.value.value) || /^@/.test(option.value.value)))
      session.report('data_send', option.value)
  }
  const method = findOptions(args, ['-X', '--request', '--method'])[0]?.value
  if (method && !isLocal && !/^(?:GET|HEAD|OPTIONS)$/i.test(method.value)) session.report('data_send', method)
}

function markDownloads(call: Call, args: Args, names: readonly string[]): void {
  for (const option of findOptions(args, names)) {
    for (const path of option.value ? pathsOf(call.session, call.state, option.value.value) : [])
      taint(call.session, path, 'download_run')
  }
}

/** The file a URL is saved as when its own name is kept. */
function markNamedDownloads(call: Call, args: Args, folder: string): void {
  for (const word of urlsOf(args)) {
    const name = word.value.split(/[?#]/)[0]?.split('/').at(-1)
    if (name)
      for (const path of pathsOf(call.session, call.state, `${folder}/${name}`))
        taint(call.session, path, 'download_run')
  }
}

function curl(call: Call, args: Args): void {
  checkTransfer(call, args)
  markDownloads(call, args, ['-o', '--output'])
  const keepsName = args.options.some(({ name }) => name === '-O' || name.startsWith('--remote-name'))
  if (!keepsName) return
  const folder = findOptions(args, ['--output-dir'])[0]?.value
  if (!folder)
    checkWrite(call.session, call.state, { word: { ...call.name, value: './download' }, kind: CHANGE })
  markNamedDownloads(call, args, folder?.value ?? '.')
}

function wget(call: Call, args: Args): void {
  checkTransfer(call, args)
  markDownloads(call, args, ['-O', '--output-document'])
  const target = findOptions(args, ['-O', '--output-document', '-P', '--directory-prefix'])[0]
  if (!target)
    checkWrite(call.session, call.state, { word: { ...call.name, value: './download' }, kind: CHANGE })
  markNamedDownloads(call, args, findOptions(args, ['-P', '--directory-prefix'])[0]?.value?.value ?? '.')
}

const REMOTE = /^(?:[^/\s]+@)?[^/\s:]+::?.*|^rsync:\/\//

function copyAway(call: Call, args: Args): void {
  const { session, state } = call
  const isRemote = (word: Word) => REMOTE.test(word.value)
  for (const word of args.operands) {
    if (isRemote(word)) session.report('remote_host', word)
    else checkRead(session, state, word)
  }
  for (const word of args.operands.slice(0, -1)) if (!isRemote(word)) checkTreeRead(session, state, word)
  const target = args.operands.at(-1)
  if (target && args.operands.length > 1 && !isRemote(target)) {
    const deletes = args.options.some(({ name }) => name.startsWith('--del'))
    checkWrite(session, state, { word: target, kind: { deletes, tree: deletes } })
    if (args.options.some(({ name }) => name === '--remove-source-files')) {
      for (const word of args.operands.slice(0, -1))
        checkWrite(session, state, { word, kind: { deletes: true, tree: true } })
    }
  }
}

/** Whether a client of a database or service talks to this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\[::1\]|\/.*)$/i.test(host)
}

const CURL: ProgramSpec = {
  mentions: true,
  unless: '--version --help -V',
  withValue: [...BODY, ...SENDING, ...HEADERS, '-X --request --method --url -m --max-time --connect-timeout --retry -w --write-out -x --proxy --resolve --connect-to --doh-url --unix-socket --abstract-unix-socket --netrc-file --variable --preproxy --socks5 --socks5-hostname --socks4 -K --config --cacert -E --cert --key -r -C -y -Y -z --retry-delay --limit-rate'].join(' '),
  writeOptions: '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl',
  flags: {
    unreadable: '-K --config',
    environment: '-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --resolve --connect-to --doh-url',
    secret_access: '-n --netrc --netrc-file --netrc-optional',
    system_change: '--unix-socket --abstract-unix-socket',
    data_send: '--variable',
  },
  judge: curl,
} // prettier-ignore

const AWAY: ProgramSpec = { always: 'remote_host', unless: '-V --version --help' }

/** Programs that talk to other machines. */
export const NETWORK: Record<string, ProgramSpec> = {
  curl: CURL,
  wget: {
    mentions: true,
    unless: '--version --help -V',
    withValue: [...BODY, ...SENDING, '--header --method --user --password -t -T -w -U -a -e --timeout --tries -Q -A -R -D -I -X'].filter((name) => name !== '-d' && name !== '-F' && name !== '-T').join(' '),
    writeOptions: '-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies',
    flags: { unreadable: '-i --input-file --config', inline_code: '--use-askpass', environment: '-e --execute' },
    judge: wget,
  },
  ...each('http https xh xhs curlie aria2c axel lwp-request fetch', { judge: (call: Call, args: Args) => { call.session.downloads += 1; if (args.operands.length > 1 || call.input.kind !== 'none') call.session.report('data_send', call.name) } } as ProgramSpec),
  rsync: { mentions: true, withValue: '-e --rsh --exclude --include --filter -f --exclude-from --include-from --files-from --rsync-path', flags: { remote_host: '-e --rsh --rsync-path' }, judge: copyAway },
  scp: { mentions: true, withValue: '-P -i -o -F -c -S -l -J', flags: { inline_code: '-S' }, judge: copyAway },
  ...each('ssh sshpass mosh autossh sftp telnet rlogin rsh ftp lftp tftp sshfs rclone s3cmd s4cmd mc ssh-copy-id', AWAY),
  ...each('nc ncat netcat socat openssl-s_client mail mailx sendmail mutt swaks ngrok cloudflared localtunnel lt croc wormhole magic-wormhole transfer', { always: 'data_send', unless: '--version --help' } as ProgramSpec),
  openssl: { sub: { ...each('s_client s_server', 'data_send' as const), ...each('rsa pkey genrsa genpkey ec pkcs12 pkcs8', 'secret_access' as const) } },
  ...each('nmap masscan tcpdump tshark', { always: 'system_change' } as ProgramSpec),
  ...each('dig nslookup host ping ping6 traceroute tracepath mtr whois drill kdig', { mentions: true, judge: (call: Call) => { for (const word of call.words) if (hasUnknown(word.value)) call.session.report('data_send', word) } } as ProgramSpec),
} // prettier-ignore
