use kit::run::ServiceDefinition;

pub fn run(arguments: &[String], definitions: &[ServiceDefinition]) -> anyhow::Result<()> {
    todo!()
}
