import { findOptions, type Args } from '../args.ts'
import { hasUnknown } from '../marks.ts'
import { type Call, each, type ProgramSpec, wholeCall } from '../spec.ts'
import { isLoopback } from './network.ts'

const INFO = '--version -version version --help -help -h'
const LIVE: ProgramSpec = { always: 'production', unless: INFO }

const DESTROYS =
  /\b(?:drop\s+(?:table|database|schema|index|view|user|role|collection)|truncate\b|delete\s+from|alter\s+(?:table|user|role)|dropDatabase|flush(?:all|db)|shutdown|grant\b|copy\b[\s\S]*\bprogram\b|\\!|into\s+(?:out|dump)file)/i

/** A database client: a named host that is not this machine, or text that destroys. */
function database(hostOptions: string) {
  return (call: Call, args: Args): void => {
    const { session } = call
    const hosts = findOptions(args, hostOptions.split(' ')).flatMap((option) => option.value ?? [])
    for (const word of hosts) if (!isLoopback(word.value)) session.report('database', word)
    for (const word of call.words) {
      const url = /^(?:--(?:dbname|uri|url)=)?[a-z+]+:\/\/(?:[^@/]*@)?([^:/?]*|\[[^\]]*\])/i.exec(word.value)
      const named = /\bhost(?:addr)?=([^\s]+)/.exec(word.value)
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

const SQL: ProgramSpec = { mentions: true, unless: INFO, withValue: '-h --host -U --username -p --port -d --dbname -c --command -f --file -u --user -P -e --execute -D --database -v -S --socket', judge: database('-h --host -S --socket') } // prettier-ignore
const EMPTIES: ProgramSpec = { always: 'database', unless: INFO }
const PLANS = { ...each('fmt validate version providers graph get', 'routine' as const) }

/** Clusters, clouds, infrastructure and databases. Reading counts too: it reaches what is live, with the person's rights. */
export const CLOUD: Record<string, ProgramSpec> = {
  ...each(
    'kubectl oc k9s helm helmfile kustomize-apply kubeadm kops eksctl istioctl argocd flux skaffold tilt velero linkerd stern kubectx kubens ' +
      'aws gcloud gsutil bq az doctl heroku flyctl fly vercel netlify railway wrangler firebase supabase render linode-cli oci ibmcloud aliyun ossutil tccli hcloud ' +
      'pulumi cdk cdktf sam serverless sls amplify eb copilot ansible ansible-playbook ansible-pull ansible-console salt salt-ssh puppet chef knife ' +
      'nomad consul boundary packer vagrant capistrano cap kamal dokku pm2 surge now tailscale zerotier-cli wg wg-quick openvpn',
    LIVE,
  ),
  ...each('terraform tofu terragrunt', { longDash: true, unless: INFO, withValue: '-chdir', sub: PLANS, otherwise: 'production' } as ProgramSpec),
  ...each('psql mysql mariadb mongosh mongo clickhouse-client pgcli mycli', SQL),
  'redis-cli': { ...SQL, withValue: '-h -p -n -a -u -s', judge: database('-h -u') },
  ...each('valkey-cli', { ...SQL, withValue: '-h -p -n -a -u -s', judge: database('-h -u') }),
  ...each('dropdb cockroach usql sqlcmd sqlplus cqlsh influx createdb dropuser createuser pg_restore pg_dump pg_dumpall mysqladmin mysqldump mongodump mongorestore mongoimport mongoexport pg_ctl initdb', EMPTIES),
  prisma: { sub: { migrate: { sub: { reset: 'database', deploy: 'database', status: 'routine', dev: 'database' } }, db: { sub: { push: 'database', execute: 'database', seed: 'routine', pull: 'routine' } } } },
  ...each('sequelize knex typeorm drizzle-kit flyway liquibase alembic dbmate goose', { judge: (call: Call) => { for (const word of call.words) if (/(?:drop|undo|rollback|clean|reset|push|downgrade)/i.test(word.value)) call.session.report('database', word) } } as ProgramSpec),
  ...each('rails rake', { judge: (call: Call) => { for (const word of call.words) if (/^db:(?:drop|reset|setup|migrate:reset|rollback|purge|truncate_all)|^(?:runner|r|console|c|credentials:\w+)$/.test(word.value)) call.session.report(word.value.startsWith('db:') ? 'database' : 'inline_code', word) } } as ProgramSpec),
  minikube: LIVE,
  kind: LIVE,
} // prettier-ignore
