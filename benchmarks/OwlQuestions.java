// Asks a reasoner of the OWL API: for each N of a folder, is N.ofn consistent, which axioms of N.questions.ofn follow?
// usage: java -cp JARS OwlQuestions.java FOLDER FACTORY
import java.io.File;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.model.OWLAnnotation;
import org.semanticweb.owlapi.model.OWLAxiom;
import org.semanticweb.owlapi.model.OWLLiteral;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.reasoner.OWLReasoner;
import org.semanticweb.owlapi.reasoner.OWLReasonerFactory;

public class OwlQuestions {
    static final int SECONDS = 10;
    static OWLReasonerFactory factory;

    public static void main(String[] arguments) throws Exception {
        factory = (OWLReasonerFactory) Class.forName(arguments[1]).getDeclaredConstructor().newInstance();
        File[] files = new File(arguments[0]).listFiles((folder, name) -> name.endsWith(".questions.ofn"));
        Arrays.sort(files);
        for (File file : files) {
            String number = file.getName().split("\\.")[0];
            ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            });
            StringBuffer found = new StringBuffer();
            Future<?> job = worker.submit(() -> answer(new File(arguments[0], number + ".ofn"), file, number, found));
            try {
                job.get(SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException slow) {
                found.append(number + "\ttime\n");
            }
            worker.shutdownNow();
            System.out.print(found);
            System.out.flush();
        }
    }

    static void answer(File ontologyFile, File questionFile, String number, StringBuffer found) {
        try {
            OWLOntology ontology = OWLManager.createOWLOntologyManager().loadOntologyFromOntologyDocument(ontologyFile);
            OWLReasoner reasoner = factory.createReasoner(ontology);
            boolean consistent = reasoner.isConsistent();
            found.append(number + "\tconsistent\t" + consistent + "\n");
            if (!consistent) {
                return;
            }
            OWLOntology questions = OWLManager.createOWLOntologyManager().loadOntologyFromOntologyDocument(questionFile);
            for (OWLAxiom axiom : questions.getLogicalAxioms()) {
                OWLAnnotation label = axiom.getAnnotations().iterator().next();
                String name = ((OWLLiteral) label.getValue()).getLiteral();
                String verdict;
                try {
                    verdict = "" + reasoner.isEntailed(axiom.getAxiomWithoutAnnotations());
                } catch (Throwable problem) {
                    verdict = "refused " + problem.getClass().getSimpleName();
                }
                found.append(number + "\t" + name + "\t" + verdict + "\n");
            }
        } catch (Throwable problem) {
            String message = ("" + problem.getMessage()).split("\n")[0];
            found.append(number + "\trefused\t" + problem.getClass().getSimpleName() + " " + message + "\n");
        }
    }
}
