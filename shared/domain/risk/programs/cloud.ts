import { findOptions, type Args } from '../args.ts'
import { hasUnknown } from '../marks.ts'
import { type Call, each, type ProgramSpec, wholeCall } from '../spec.ts'
import { checkRead, checkWrite } from '../targets.ts'
import { isLoopback } from './network.ts'

const INFO = '--version -version version --help -help -h'
const LIVE: ProgramSpec = { always: 'production', unless: INFO }

const DESTROYS =
  /\b(?:drop\s+(?:table|database|schema|index|view|user|role|collection)|truncate\b|delete\s+from|alter\s+(?:table|user|role)|dropDatabase|flush(?:all|db)|shutdown|grant\b|copy\b[\s\S]*\bprogram\b|update\s+\S+\s+set\b|into\s+(?:out|dump)file)|\\(?:!|copy\b|o\b|w\b|ir?\b|g(?:exec)?\b|setenv\b)|\.(?:delete\w*|remove|drop\w*|update\w*|replaceOne|bulkWrite)\s*\(/i

/** A database client: a named host that is not this machine, or text that destroys. */
function database(hostOptions: string) {
  return (call: Call, args: Args): void => {
    const { session } = call
    const hosts = findOptions(args, hostOptions.split(' ')).flatMap((option) => option.value ?? [])
    for (const word of hosts) if (!isLoopback(word.value)) session.report('database', word)
    for (const word of call.words) {
      const url = /^(?:--(?:dbname|uri|url)=)?[a-z+]+:\/\/(?:[^@/]*@)?([^:/?]*|\[[^\]]*\])/i.exec(word.value)
      const named = /\b(?:host(?:addr)?|service)=([^\s]+)/.exec(word.value)
      const host = url?.[1] ?? named?.[1]
      if (host !== undefined && host !== '' && !isLoopback(host)) session.report('database', word)
      if (DESTROYS.test(word.value)) session.report('database', word)
      if (hasUnknown(word.value)) session.report('unresolved', word)
    }
    if (call.input.kind !== 'none') {
      const isKnown =
        call.input.kind === 'text' &&
        call.input.texts.every((text) => !hasUnknown(text) && !DESTROYS.test(text))
      if (!isKnown) session.report('database', wholeCall(call))
    }
    const fromFile = findOptions(args, ['-f', '--file', '-i'])
    for (const option of fromFile) session.report('database', option.word)
  }
}

/** `-h` names the host here, so it is no request for help. */
const SQL_INFO = '--version --help -V'
const REDIS_ACTS =
  /^(?:config|flushall|flushdb|eval|evalsha|script|module|slaveof|replicaof|debug|shutdown|del|unlink|migrate|restore|acl|failover)$/i

/** Its first operand may name the server: `mongosh db.example.com/name`. */
function mongo(call: Call, args: Args): void {
  database('-h --host')(call, args)
  const [first] = args.operands
  const host = /^([\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/\w*)?$/.exec(first?.value ?? '')?.[1]
  if (first && host && !/\.m?js$/.test(host) && !isLoopback(host)) call.session.report('database', first)
}

function redis(call: Call, args: Args): void {
  database('-h -u')(call, args)
  const [verb] = args.operands
  if (verb && REDIS_ACTS.test(verb.value)) call.session.report('database', verb)
}

const SQLITE_ACTS =
  /(?:^|\n)\s*\.(?:shell|system|sh|sy|load|output|out|once|on|import|imp|read|re|backup|save|clone|excel|www|log|cd|restore|open|archive|ar|edit)\w*\b|\b(?:load_extension|writefile|readfile|edit|fts3_tokenizer)\s*\(|\battach\b/i

/** A database in a file of the project; its dot commands can run programs and write files. */
function sqlite(call: Call, args: Args): void {
  const [file, ...texts] = args.operands
  if (file && !file.value.startsWith(':')) {
    checkWrite(call.session, call.state, { word: file, kind: { deletes: false, tree: false } })
    checkRead(call.session, call.state, file)
  }
  for (const word of file ? call.words.filter((word) => word !== file) : texts) {
    if (SQLITE_ACTS.test(word.value)) call.session.report('inline_code', word)
    if (hasUnknown(word.value) && word.value.trimStart().startsWith('\uE010'))
      call.session.report('unresolved', word)
  }
  const { kind, texts: fed } = call.input
  if (kind === 'pipe' || fed.some((text) => SQLITE_ACTS.test(text) || hasUnknown(text)))
    call.session.report('inline_code', wholeCall(call))
}

const SQL: ProgramSpec = { mentions: true, unless: SQL_INFO, withValue: '-h --host -U --username -p --port -d --dbname -c --command -f --file -u --user -P -e --execute -D --database -v -S --socket', judge: database('-h --host -S --socket') } // prettier-ignore
const EMPTIES: ProgramSpec = { always: 'database', unless: INFO }
const PLANS = { ...each('fmt validate version providers graph get', 'routine' as const) }

/** Clusters, clouds, infrastructure and databases. Reading counts too: it reaches what is live, with the person's rights. */
export const CLOUD: Record<string, ProgramSpec> = {
  ...each(
    'kubectl oc k9s helmfile kustomize-apply kubeadm kops eksctl istioctl argocd flux skaffold tilt velero linkerd stern kubectx kubens ' +
      'aws gcloud gsutil bq az doctl heroku flyctl fly vercel netlify railway wrangler firebase supabase render linode-cli oci ibmcloud aliyun ossutil tccli hcloud ' +
      'pulumi cdk cdktf sam serverless sls amplify eb copilot ansible ansible-playbook ansible-pull ansible-console salt salt-ssh puppet chef knife ' +
      'nomad consul boundary packer vagrant capistrano cap kamal dokku pm2 surge now tailscale zerotier-cli wg wg-quick openvpn',
    LIVE,
  ),
  ...each('terraform tofu terragrunt', { longDash: true, unless: INFO, withValue: '-chdir', sub: PLANS, otherwise: 'production' } as ProgramSpec),
  ...each('psql mysql mariadb clickhouse-client pgcli mycli', SQL),
  ...each('mongosh mongo', { ...SQL, judge: mongo }),
  ...each('redis-cli valkey-cli', { ...SQL, withValue: '-h -p -n -a -u -s -x -i -r', judge: redis, flags: { database: '--eval --cluster --pipe --rdb' } }),
  ...each('sqlite3 sqlite duckdb', { mentions: true, longDash: true, unless: INFO, withValue: '-separator -nullvalue -cmd -init', flags: { inline_code: '-cmd -init' }, judge: sqlite } as ProgramSpec),
  helm: { unless: INFO, sub: { lint: 'routine', template: { mentions: true, flags: { production: '--validate --dry-run --kube-context' } } }, otherwise: 'production' },
  ...each('dropdb cockroach usql sqlcmd sqlplus cqlsh influx createdb dropuser createuser pg_restore pg_dump pg_dumpall mysqladmin mysqldump mongodump mongorestore mongoimport mongoexport pg_ctl initdb', EMPTIES),
  prisma: { sub: { migrate: { sub: { reset: 'database', deploy: 'database', status: 'routine', dev: 'database' } }, db: { sub: { push: 'database', execute: 'database', seed: 'routine', pull: 'routine' } } } },
  ...each('sequelize knex typeorm drizzle-kit flyway liquibase alembic dbmate goose', { judge: (call: Call) => { for (const word of call.words) if (/(?:drop|undo|rollback|clean|reset|push|downgrade)/i.test(word.value)) call.session.report('database', word) } } as ProgramSpec),
  ...each('rails rake', { judge: (call: Call) => { for (const word of call.words) if (/^db:(?:drop|reset|setup|migrate:reset|rollback|purge|truncate_all)|^(?:runner|r|console|c|credentials:\w+)$/.test(word.value)) call.session.report(word.value.startsWith('db:') ? 'database' : 'inline_code', word) } } as ProgramSpec),
  ...each('minikube k3d ctlptl', LIVE),
  kind: LIVE,
} // prettier-ignore
