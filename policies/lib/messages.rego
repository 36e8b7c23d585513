# What to tell the person whose text it is: what stands in it, and what to write
# instead.
package bailiff.messages

default of(_) := "The text gives orders instead of criteria. Write criteria about the response, such as \"The answer names the delivery date\"."

of(category) := by_category[category]

by_category := {
	"instruction_override": "The text tells the evaluator to drop its instructions. Write what a good response looks like; the evaluator's own instructions cannot be changed from here.",
	"score_fixing": "The text says what the result is to be. Write criteria about the response, and let the result follow from them.",
	"role_authority": "The text speaks in the name of an authority or gives the evaluator another role. Leave that out and write criteria about the response.",
	"prompt_disclosure": "The text asks for the evaluator's own instructions or for secrets. If the response must not disclose such things, write \"The response does not reveal …\".",
	"delimiter": "The text holds tokens that separate the parts of a prompt. Describe them in words.",
	"output_hijack": "The text dictates the evaluator's answer. Describe the response that is judged, not the judgement.",
	"step_smuggling": "A step gives an order to the evaluator. Write each step as something to check in the response.",
	"threshold_tampering": "The text changes how results are counted. Thresholds belong in the request; write criteria about the response.",
	"conditional_backdoor": "The result would depend on something that is not the quality of the response. Write criteria that hold for every response.",
	"fake_dialogue": "The text makes up a conversation, results or examples that fix the outcome. Write criteria; give examples of good and of bad responses.",
	"exfiltration": "The text has data sent or fetched, or tools used. An evaluation only reads the record; write criteria about the response.",
	"encoded_payload": "The text hides or encodes what it says. Write it in plain words.",
	"hidden_text": "The text holds parts that a reader does not see. Remove invisible characters and hidden elements.",
	"cross_tenant": "The text asks for data beyond the record that is judged. Refer only to the fields that you selected.",
	"guard_attack": "The text speaks to the safety checks. Leave that out and write criteria about the response.",
	"evaluation_off": "The text says that there is no evaluation to do. Write what is to be evaluated.",
	"pre_verified": "The text says that the response has been verified already. Write what is to be checked.",
	"competitor_degradation": "The text favours or harms responses by whose they are. Write criteria that hold for every response.",
	"persuasion": "The text asks or presses for a result. Write criteria about the response.",
	"self_reference": "The text defines success so that everything meets it. Write criteria that a bad response fails.",
	"denial_of_service": "The text asks for work without end or for failures. Write criteria that can be checked once.",
	"jailbreak": "The text gives the evaluator a role without rules. Leave that out and write criteria about the response.",
	"off_topic": "The text asks for something to be done. Write what a good response looks like.",
}
